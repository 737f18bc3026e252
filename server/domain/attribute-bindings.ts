import type { ArgumentKind } from "../../src/contract/bindings.ts";
import { overlap } from "./bindings.ts";
import type { Binding, BoundArgument } from "./functions.ts";
import { isReadable, type Json } from "./json.ts";
import { findPropById } from "./prop-ids.ts";
import type { Prop } from "./props.ts";
import { refuse } from "./refusal.ts";

/** One argument of an attribute function as a request describes it. */
export interface ArgumentWish {
  readonly name: string;
  readonly kind: string;
  readonly elementKind?: string | null | undefined;
  readonly propId?: string | null | undefined;
  /** Any JSON value; null counts as none. */
  readonly staticValue?: unknown;
}

const kindNames: readonly ArgumentKind[] = [
  "Any",
  "Array",
  "Boolean",
  "Float",
  "Integer",
  "Json",
  "Map",
  "Object",
  "String",
];
const kinds = new Map<string, ArgumentKind>(kindNames.map((kind) => [kind.toLowerCase(), kind]));

const look = "the variant's domainProps tell the ids of its properties";

/** The arguments of an attribute function with the places of the variant that they come from, or the refusal of one. */
export function readArguments(props: Prop, wishes: readonly ArgumentWish[]): BoundArgument[] {
  const names = new Set<string>();
  return wishes.map((wish) => {
    const at = `argumentBindings ${JSON.stringify(wish.name)}`;
    if (!isReadable(wish.name) || wish.name === "__proto__") {
      refuse("invalidRequest", `${at}: expected a name that a member of an object can have`);
    }
    if (names.has(wish.name)) refuse("invalidRequest", `${at}: expected each name once, found it twice`);
    names.add(wish.name);
    const kind = readKind(wish.kind, `${at}: kind`);
    const isArray = kind === "Array";
    if (isArray && (wish.elementKind ?? null) === null) {
      refuse("invalidRequest", `${at}: expected an elementKind, what the Array holds, found none`);
    }
    const declared = {
      name: wish.name,
      kind,
      ...(isArray ? { elementKind: readKind(wish.elementKind ?? "", `${at}: elementKind`) } : {}),
    };
    if (typeof wish.propId === "string") return { ...declared, path: pathOf(props, wish.propId, at) };
    if (wish.staticValue === undefined || wish.staticValue === null) {
      return refuse(
        "invalidRequest",
        `${at}: expected a propId, the property that it comes from, or a staticValue, found neither`,
      );
    }
    // The body was parsed as JSON: what a member of it holds is JSON.
    return { ...declared, value: wish.staticValue as Json };
  });
}

const readKind = (text: string, at: string): ArgumentKind =>
  kinds.get(text.toLowerCase()) ??
  refuse(
    "invalidRequest",
    `${at}: expected one of ${kindNames.join(", ")}, found ${JSON.stringify(text.slice(0, 40))}`,
  );

function pathOf(props: Prop, propId: string, at: string): string {
  const { pointer, within } = getProp(props, propId, `${at}: propId`);
  if (pointer === undefined) {
    return refuse(
      "invalidRequest",
      `${at}: propId: expected a property that a component has once, found one inside of ${within}; use the id of ${within} itself`,
    );
  }
  if (pointer !== "") return pointer;
  return refuse(
    "invalidRequest",
    `${at}: propId: expected a property of the component, found the whole of it`,
  );
}

const getProp = (props: Prop, propId: string, at: string) =>
  findPropById(props, propId) ??
  refuse(
    "invalidRequest",
    `${at}: no property of the variant has the id ${JSON.stringify(propId.slice(0, 40))}; ${look}`,
  );

/** Why a function cannot compute what stands there. */
const closed: Readonly<Record<string, string>> = {
  "": "the whole component",
  "/si": "all that every component has",
  "/si/name": "the name, which each component is given",
  "/secrets": "secrets, which components are given",
  "/resource": "what is recorded of the resource",
  "/code": "what codegen functions make",
  "/qualification": "what qualifications find",
  "/deleted_at": "the time of a deletion",
};

/** The pointer of the property that takes an attribute function's result, or the refusal of one that cannot. */
export function readOutput(props: Prop, propId: string): string {
  const { pointer, within } = getProp(props, propId, "propId");
  if (pointer === undefined) {
    return refuse(
      "invalidRequest",
      `propId: expected a property that a component has once, found one inside of ${within}; a function computes the whole of ${within}`,
    );
  }
  const top = pointer.split("/").slice(0, 2).join("/");
  const why = Object.hasOwn(closed, pointer) ? closed[pointer] : top === "/si" ? undefined : closed[top];
  if (why === undefined) return pointer;
  return refuse("invalidRequest", `propId: expected a property such as one below /domain, found ${why}`);
}

/** Refuses a property of which another function of the same level computes the whole, or a part. */
export function checkOutputFree(output: string, peers: readonly Binding[]): void {
  const rival = peers.find((peer) => peer.output !== undefined && overlap(peer.output, output));
  if (rival === undefined) return;
  refuse(
    "invalidRequest",
    `propId: the function ${JSON.stringify(rival.func.name)} computes ${rival.output} already, and ${output} is not apart from it; detach that one first (${rival.func.id})`,
  );
}
