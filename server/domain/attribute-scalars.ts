import { checkComponentName } from "./component-names.ts";
import { describe, type Json, unstorable } from "./json.ts";
import { maximumText } from "./limits.ts";
import { componentTypes, type Prop } from "./props.ts";
import { refuse } from "./refusal.ts";

const expectedOf: Readonly<Record<string, string>> = {
  string: "a string",
  integer: "an integer of at most 2^53 - 1",
  float: "a number",
  boolean: "true or false",
};

/** The literal as it is stored, checked against its property's kind; JSON properties keep text. */
export function scalarOf(prop: Prop, pointer: string, value: Json): Json {
  if (prop.kind === "json") {
    return checkText(prop, pointer, typeof value === "string" ? value : jsonText(pointer, value));
  }
  if (typeof value === "string" && prop.kind === "string") return checkText(prop, pointer, value);
  const fits =
    (prop.kind === "integer" && Number.isSafeInteger(value)) ||
    (prop.kind === "float" && Number.isFinite(value)) ||
    (prop.kind === "boolean" && typeof value === "boolean");
  if (fits) return Object.is(value, -0) ? 0 : value;
  return refuse(
    "invalidRequest",
    `attributes ${pointer}: expected ${expectedOf[prop.kind] ?? prop.kind}, found ${found(prop, value)}`,
  );
}

/** JSON as text, as it was sent: a number that this server would read as another one is refused. */
function jsonText(pointer: string, value: Json): string {
  const isOther = (one: Json): boolean => {
    if (typeof one === "number")
      return !Number.isFinite(one) || (Number.isInteger(one) && !Number.isSafeInteger(one));
    if (typeof one !== "object" || one === null) return false;
    return Object.values(one).some(isOther);
  };
  if (!isOther(value)) return JSON.stringify(value, null, 2);
  return refuse(
    "invalidRequest",
    `attributes ${pointer}: expected numbers of at most 2^53 - 1, found a greater one, which would not be kept as it is; send the JSON as text`,
  );
}

/** What was found, in words that never repeat what may be secret. */
function found(prop: Prop, value: Json): string {
  const secret = prop.definition.secret !== undefined || prop.definition.widget?.kind === "password";
  return secret ? "a value of another kind" : describe(value);
}

function checkText(prop: Prop, pointer: string, text: string): string {
  const bad = unstorable(text);
  if (bad !== undefined) refuse("invalidRequest", `attributes ${pointer}: expected text, found ${bad} in it`);
  if (text.length > maximumText) {
    refuse(
      "invalidRequest",
      `attributes ${pointer}: expected at most ${maximumText} characters, found ${text.length}`,
    );
  }
  if (prop.path === "root/si/name") return checkComponentName(text);
  const form = forms.get(prop.path);
  if (form !== undefined && !form.fits(text)) {
    refuse("invalidRequest", `attributes ${pointer}: expected ${form.expected}, found ${describe(text)}`);
  }
  return text;
}

interface Form {
  readonly expected: string;
  fits(text: string): boolean;
}

const oneOf = (values: readonly string[]): Form => ({
  expected: `one of ${values.join(", ")}`,
  fits: (text) => values.includes(text),
});

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** What the texts that every component has must look like, by path. */
const forms: ReadonlyMap<string, Form> = new Map([
  ["root/si/type", oneOf(componentTypes)],
  ["root/resource/status", oneOf(["ok", "warning", "error"])],
  [
    "root/resource/last_synced",
    {
      expected: "a time such as 2026-01-31T12:00:00Z",
      fits: (text) => time.test(text) && !Number.isNaN(Date.parse(text)),
    },
  ],
]);
