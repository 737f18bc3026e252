import type { Output as AnswerOf } from "../contract/endpoint.ts";
import type { Api } from "../contract/index.ts";
import type { Output } from "./output.ts";
import { printable } from "./table.ts";

type PropView = AnswerOf<Api["components"]["get"]>["component"]["domainProps"][number];

/** A component as a person reads it: what it is, its attributes, its values, its connections and functions. */
export function componentLines(
  { component, actionFunctions, managementFunctions }: AnswerOf<Api["components"]["get"]>,
  schemaName: string,
  output: Output,
): string[] {
  const field = (name: string, text: string): string[] =>
    text === "" ? [] : [`${output.dim(name.padEnd(11))} ${printable(text)}`];
  const attributes = Object.entries(component.attributes).sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    output.bold(printable(component.name)),
    ...field("id", component.id),
    ...field("schema", schemaName),
    ...field("variant", component.schemaVariantId + (component.canBeUpgraded ? " (can be upgraded)" : "")),
    ...field("resource", component.resourceId),
    ...field("state", component.toDelete ? "marked for deletion" : ""),
    ...field("views", component.views.map(({ name }) => name).join(", ")),
    ...field("actions", actionFunctions.map(({ funcName }) => funcName).join(", ")),
    ...field("management", managementFunctions.map(({ funcName }) => funcName).join(", ")),
    ...component.connections.flatMap((connection) =>
      "managing" in connection
        ? field("manages", connection.managing.componentName)
        : field("managed by", connection.managedBy.componentName),
    ),
    ...attributes.map(([path, value]) => `${output.dim(printable(path))} = ${printable(shown(value))}`),
    ...section(output, "values, however they came about", [
      ...component.domainProps,
      ...component.resourceProps,
    ]),
  ];
}

/** The properties that have a value, under a title; of containers what is in them. */
function section(output: Output, title: string, props: readonly PropView[]): string[] {
  const lines = props.flatMap(({ path, value }) =>
    value === undefined || value === null || holdsOthers(value)
      ? []
      : [`  ${output.dim(printable(path.replace(/^root/, "")))} = ${printable(shown(value))}`],
  );
  return lines.length === 0 ? [] : ["", output.bold(title), ...lines];
}

const holdsOthers = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length > 0;

const shown = (value: unknown): string => JSON.stringify(value) ?? "";
