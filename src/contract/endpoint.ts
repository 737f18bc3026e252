import type { Static, TObject, TSchema } from "typebox";
import type { ErrorName } from "./errors.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call: `none` needs no credentials, `optional` uses them when they are there, `any` takes every valid
 * principal, `session` a signed-in session, `sessionOrKey` a session or a personal key, `user` whoever stands for a
 * user, `workspace` whoever may act in the workspace of the path.
 */
export type Access = "none" | "optional" | "any" | "session" | "sessionOrKey" | "user" | "workspace";

/**
 * Which counters decide an answer's ETag: those of the change set and its head (`layer`), of the workspace's own lists,
 * of both (`review`), of the workspace's history, of the one function run that the path names; `answer` means the answer's
 * own bytes.
 */
export type Revision = "layer" | "workspace" | "review" | "events" | "run" | "answer";

/** A body in a form: the text of one field, whether it is sent as a file or as text; other fields are ignored. */
export interface Multipart {
  readonly field: string;
  /** More than that is refused while it is read. */
  readonly maximumBytes: number;
}

/** One row of the API. Routes, validation, client, OpenAPI, `svc api` and negative tests are all derived from it. */
export interface Endpoint {
  readonly method: Method;
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  readonly query?: TObject;
  readonly body?: TSchema;
  /** A request without a body counts as one with `{}`. */
  readonly bodyOptional?: true;
  /** The body is a text that travels in a form of `multipart/form-data`. */
  readonly multipart?: Multipart;
  /** What a success carries; absent means no body. */
  readonly response?: TSchema;
  readonly status?: 200 | 201 | 202 | 204;
  /** Errors beyond those every row has (authentication, validation, internal). */
  readonly errors?: readonly ErrorName[];
  /** What malformed input is answered with. Default: `invalidRequest` (422). */
  readonly invalid?: ErrorName;
  /** Statuses whose answer has no body. */
  readonly bodiless?: readonly number[];
  /** Set on every GET that may be asked conditionally and held. */
  readonly revision?: Revision;
  /** Answered also while everything else is refused: during maintenance, and while the process stops. */
  readonly always?: true;
  /** Answered with 202 and when to ask again while what it shows is still being made. */
  readonly building?: true;
  /** True when the row is not in the specification but our addition. */
  readonly addition?: true;
}

export type Group = Readonly<Record<string, Endpoint>>;
export type Contract = Readonly<Record<string, Group>>;

/** Identity at run time; keeps paths and schemas as literal types. */
export const group = <const G extends Group>(endpoints: G): G => endpoints;

type Simplify<T> = { [K in keyof T]: T[K] } & {};
type PathParameters<P extends string> = P extends `${string}/:${infer K}/${infer Rest}`
  ? { readonly [k in K]: string } & PathParameters<`/${Rest}`>
  : P extends `${string}/:${infer K}`
    ? { readonly [k in K]: string }
    : unknown;
type QueryOf<E> = E extends { readonly query: infer S extends TSchema } ? Static<S> : never;
type BodyOf<E> = E extends { readonly body: infer S extends TSchema } ? Static<S> : never;
type Slot<K extends string, T> = [T] extends [never]
  ? unknown
  : Record<never, never> extends T
    ? { readonly [k in K]?: T }
    : { readonly [k in K]: T };

/** What a caller passes: path parameters at the top level, `query` and `body` where the row declares them. */
export type Input<E extends Endpoint> = Simplify<
  PathParameters<E["path"]> & Slot<"query", QueryOf<E>> & Slot<"body", BodyOf<E>>
>;
type Present<K extends string, T> = [T] extends [never] ? unknown : { readonly [k in K]: T };
/** The same after validation: what a handler receives. */
export type Parsed<E extends Endpoint> = Simplify<
  PathParameters<E["path"]> & Present<"query", QueryOf<E>> & Present<"body", BodyOf<E>>
>;
/** What a success carries. */
export type Output<E extends Endpoint> = E extends { readonly response: infer S extends TSchema }
  ? Static<S>
  : undefined;

/** Names of a row's path parameters, in order. */
export const pathParameters = (path: string): string[] =>
  [...path.matchAll(/:(\w+)/g)].flatMap(([, name]) => (name === undefined ? [] : [name]));

/** `changeSets.list` and its row, for every row of a contract, in order. */
export function rowsOf(contract: Contract): { readonly operation: string; readonly endpoint: Endpoint }[] {
  return Object.entries(contract).flatMap(([name, endpoints]) =>
    Object.entries(endpoints).map(([key, endpoint]) => ({ operation: `${name}.${key}`, endpoint })),
  );
}
