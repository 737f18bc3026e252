import type {
  AttributeDiff,
  ComponentReview,
  DroppedEdits,
  Review,
  ReviewedValue,
} from "../contract/review.ts";
import type { Column } from "./table.ts";

/** One line of a review: one thing that differs from the head. */
export interface ReviewLine {
  readonly subject: string;
  readonly status: string;
  /** The attribute's pointer, or what else differs. */
  readonly what: string;
  readonly change: string;
  readonly source: string;
  readonly mark: string;
}

/** The columns of a review; values are cut to `width` cells, whole without it. */
export const reviewColumns = (width = Number.POSITIVE_INFINITY): Column<ReviewLine>[] => [
  { title: "COMPONENT", text: ({ subject }) => subject },
  { title: "STATUS", text: ({ status }) => status },
  { title: "ATTRIBUTE", text: ({ what }) => what },
  { title: "CHANGE", text: ({ change }) => cut(change, width) },
  { title: "SOURCE", text: ({ source }) => source },
  { title: "", text: ({ mark }) => mark },
];

/** Every line of a review, components first; what repeats itself is left out where a person reads. */
export function reviewLines(review: Review, terminal: boolean): ReviewLine[] {
  const lines = [
    ...review.components.flatMap(componentLines),
    ...review.dropped.flatMap(droppedLines),
    ...review.entities.map(({ kind, name, diffStatus }) => ({
      ...nothing,
      subject: `${kind} ${name}`,
      status: diffStatus,
    })),
  ];
  if (!terminal) return lines;
  return lines.map((line, index) =>
    index > 0 && lines[index - 1]?.subject === line.subject && lines[index - 1]?.status === line.status
      ? { ...line, subject: "", status: "" }
      : line,
  );
}

/** What a review comes to, in one sentence. */
export function reviewSummary({ summary, entities, dropped, pending }: Review): string {
  const { totalComponents, added, modified, removed, attributes, headMoved } = summary;
  const counted = [
    `${count(totalComponents, "component")}: ${added} added, ${modified} modified, ${removed} removed`,
    count(attributes, "attribute"),
    ...(entities.length > 0 ? [count(entities.length, "other change")] : []),
    ...(dropped.length > 0 ? [`edits of ${count(dropped.length, "component")} will not be applied`] : []),
    ...(headMoved > 0 ? [`the head has moved under ${headMoved}`] : []),
    ...(pending ? ["values are still being computed"] : []),
  ];
  return counted.join("; ");
}

const nothing = { what: "", change: "", source: "", mark: "" };
const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;
const cut = (text: string, width: number): string =>
  text.length > width ? `${text.slice(0, width - 1)}…` : text;

function componentLines(component: ComponentReview): ReviewLine[] {
  const { componentName, diffStatus, toDelete, headMoved } = component;
  const status = toDelete ? `${diffStatus} (marked)` : diffStatus;
  const one = { subject: componentName, status };
  const named = (what: string, gone: readonly string[], come: readonly string[]): ReviewLine[] => [
    ...gone.map((name) => ({ ...nothing, ...one, what, change: arrow(name, undefined) })),
    ...come.map((name) => ({ ...nothing, ...one, what, change: arrow(undefined, name) })),
  ];
  const { variant } = component;
  const lines = [
    ...(variant === undefined
      ? []
      : [{ ...nothing, ...one, what: "variant", change: arrow(variant.old, variant.new) }]),
    ...Object.entries(component.attributeDiffs).map(([what, diff]) => ({ ...one, what, ...diffText(diff) })),
    ...named("view", component.viewsRemoved, component.viewsAdded),
    ...named("manager", component.managersRemoved, component.managersAdded),
  ];
  if (lines.length > 0) return lines;
  return [{ ...nothing, ...one, mark: headMoved ? "head moved" : "" }];
}

/** Edits that an apply leaves out: the head has removed what they were made in. */
function droppedLines({ componentName, componentRemoved, attributes }: DroppedEdits): ReviewLine[] {
  const mark = componentRemoved ? "removed in the head" : "its place is removed in the head";
  const lines = attributes.length === 0 ? [""] : attributes;
  return lines.map((what) => ({ ...nothing, subject: componentName, status: "Dropped", what, mark }));
}

const diffText = (diff: AttributeDiff): Pick<ReviewLine, "change" | "source" | "mark"> => ({
  change: arrow(diff.old && valueText(diff.old), diff.new && valueText(diff.new)),
  source: sourceText(diff.new ?? diff.old),
  mark: markText(diff),
});

/** A default says by itself that nobody set it. */
function markText({ headMoved, edited, old, new: now }: AttributeDiff): string {
  if (headMoved) return "head moved";
  const shown = now ?? old;
  const isDefault = shown?.source === "prototype" && shown.functionName === undefined;
  return edited || isDefault ? "" : "follows";
}

const arrow = (old: string | undefined, now: string | undefined): string => `${old ?? "-"} → ${now ?? "-"}`;

const valueText = ({ value }: ReviewedValue): string =>
  value === undefined ? "nothing" : JSON.stringify(value);

function sourceText(value: ReviewedValue | undefined): string {
  if (value === undefined) return "";
  if (value.source === "prototype")
    return value.functionName === undefined ? "default" : `by ${value.functionName}`;
  if (value.source !== "subscription") return "set";
  const through = value.func === undefined ? "" : ` through ${value.func}`;
  return `${value.componentName ?? value.componentId ?? ""} ${value.path ?? ""}${through}`;
}
