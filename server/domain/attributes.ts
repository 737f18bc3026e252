import { formOf, type Link } from "./attribute-forms.ts";
import { setLiteral, writeOn } from "./attribute-literals.ts";
import { type Draft, draftOf, type Place, reach, unset } from "./attribute-paths.ts";
import { checkSource, type SourceLookup } from "./attribute-sources.ts";
import { type Json, unstorable } from "./json.ts";
import { maximumDepth, maximumKey, maximumSettings } from "./limits.ts";
import { difference, type Patch, type Setting, type Settings, sameSetting } from "./overlay.ts";
import { keySegments, parsePointer, segmentName } from "./pointers.ts";
import type { Prop } from "./props.ts";
import { refuse } from "./refusal.ts";
import { flatten } from "./tree.ts";

/** What a write needs to know besides the changes themselves. */
export interface AttributeWrite extends SourceLookup {
  readonly props: Prop;
  /** The component's settings as the layer shows them. */
  readonly settings: Settings;
  /** Key → value in the order given: the members of the request's `attributes`. */
  readonly changes: readonly (readonly [key: string, value: Json])[];
  /** A new ULID at every call. */
  readonly newId: () => string;
  /** The present time in RFC 3339, for `last_synced` of a resource that is set whole. */
  readonly now: string;
  /** Whether the component has a resource; create-only properties are then closed. */
  readonly hasResource: boolean;
  /** The pointer of one of this component's values, for keys that are the id of a value. */
  readonly pointerOfValueId?: (valueId: string) => string | undefined;
}

/** Computed by the server; writing to them is accepted and does nothing, so that what was read can be sent back. */
const computedRoots: ReadonlySet<string> = new Set(["code", "deleted_at", "qualification", "resource_value"]);

/**
 * The patch that the `attributes` of a create or update request make, all or nothing: the changes one after the other,
 * each seeing those before it. Only what really changes is in the patch, so sending back what was read changes nothing.
 * A mistake is a {@link Refusal} that names the key, what was expected and what was found.
 */
export function writeAttributes(write: AttributeWrite): Patch {
  if (write.changes.length > maximumSettings) {
    refuse(
      "invalidRequest",
      `attributes: expected at most ${maximumSettings} members in one request, found ${write.changes.length}`,
    );
  }
  const draft = draftOf(write.props, write.settings, write.newId);
  for (const [key, value] of write.changes) writeOne(write, draft, key, value);
  const settings = flatten(draft.tree);
  stampResource(write, settings);
  for (const [key, setting] of Object.entries(write.settings)) {
    if (!key.startsWith("/")) settings[key] = setting;
  }
  const patch = difference(write.settings, settings);
  checkSize(settings, patch);
  if (write.hasResource) checkCreateOnly(write.props, patch);
  return patch;
}

function writeOne(write: AttributeWrite, draft: Draft, key: string, value: Json): void {
  const pointer = key.startsWith("/") ? key : (write.pointerOfValueId?.(key) ?? key);
  const segments = segmentsOf(key, pointer);
  const [top] = segments;
  if (top === undefined || computedRoots.has(top)) return;
  const form = formOf(pointer, value);
  if (form.does === "unset") unset(draft, segments, pointer);
  else if (form.does === "subscribe") subscribe(write, draft, reach(draft, segments, pointer), form.link);
  // Secrets are bound by subscription or by the `secrets` member, never stored as text.
  else if (top !== "secrets") {
    const whole = top === "resource" && segments.length === 1 && form.value !== null;
    setLiteral(
      draft,
      reach(draft, segments, pointer),
      whole ? resourceOf(form.value, write.now) : form.value,
    );
  }
}

/** A payload that is written alone is as good as one written with its resource: it says so, and since when. */
function stampResource(write: AttributeWrite, settings: Record<string, Setting>): void {
  const [before, after] = [write.settings["/resource/payload"], settings["/resource/payload"]];
  if (after === undefined || !("v" in after) || (before && sameSetting(before, after))) return;
  settings["/resource/status"] ??= { v: "ok" };
  const isGiven = write.changes.some(([key]) => key === "/resource/last_synced" || key === "/resource");
  if (!isGiven) settings["/resource/last_synced"] = { v: write.now };
}

const resourceOf = (payload: Json, now: string): Json => ({ status: "ok", payload, last_synced: now });

function segmentsOf(key: string, pointer: string): readonly string[] {
  const bad = unstorable(key);
  if (bad !== undefined)
    refuse("invalidRequest", `attributes ${JSON.stringify(key)}: the path contains ${bad}`);
  const segments = pointer.startsWith("/") ? parsePointer(pointer) : undefined;
  if (segments === undefined) {
    return refuse(
      "invalidRequest",
      `attributes ${JSON.stringify(key)}: expected a path such as /domain/region (with ~0 for ~ and ~1 for /)`,
    );
  }
  if (segments.length <= maximumDepth) return segments;
  return refuse(
    "invalidRequest",
    `attributes: expected a path of at most ${maximumDepth} parts, found ${segments.length}`,
  );
}

function subscribe(write: AttributeWrite, draft: Draft, place: Place, link: Link): void {
  const before = place.node.value;
  if (before !== undefined && isThere(write, before, link)) return;
  const { componentId, func } = checkSource(write, draft, place, link);
  const setting: Setting = { s: [componentId, link.path], ...(func === undefined ? {} : { f: func }) };
  if (before === undefined || !sameSetting(before, setting)) writeOn(draft, place.node, setting);
}

/**
 * Whether a subscription that is sent is the one that is set, to a component that is there: then it was checked before,
 * and what was upgraded or closed to a circle by others since is no mistake of who sends back what was read.
 */
function isThere(write: AttributeWrite, before: Setting, { component, path, func }: Link): boolean {
  if (!("s" in before) || before.s[0] !== component || before.s[1] !== path || before.f !== func)
    return false;
  const found = write.findComponent(component);
  return found !== undefined && found !== "ambiguous";
}

function checkSize(settings: Settings, patch: Patch): void {
  const count = Object.keys(settings).length;
  if (count > maximumSettings) {
    refuse(
      "invalidRequest",
      `attributes: expected at most ${maximumSettings} settings in a component, found ${count}`,
    );
  }
  const long = Object.keys(patch).find((key) => key.length > maximumKey);
  if (long !== undefined) {
    refuse(
      "invalidRequest",
      `attributes ${JSON.stringify(long.slice(0, 60))}…: expected a path of at most ${maximumKey} characters, found ${long.length}`,
    );
  }
}

/** Refuses a patch that changes a create-only property, or anything below one. */
function checkCreateOnly(root: Prop, patch: Patch): void {
  for (const key of Object.keys(patch)) {
    if (!key.startsWith("/")) continue;
    let prop: Prop | undefined = root;
    for (const segment of keySegments(key)) {
      prop = prop?.kind === "object" ? prop.children.get(segmentName(segment)) : prop?.entry;
      if (prop?.definition.createOnly !== true) continue;
      refuse(
        "createOnlyProperty",
        `cannot update create-only property at path '${prop.path}' when component has a resource attached`,
      );
    }
  }
}
