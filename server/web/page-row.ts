import type { VNode } from "preact";
import type { Static, TObject } from "typebox";
import type { Endpoint, Input, Output } from "../../src/contract/endpoint.ts";
import type { Api } from "../../src/contract/index.ts";
import type { Context } from "../context.ts";
import type { User } from "../store/users.ts";

type RowOf<G extends keyof Api, K extends keyof Api[G]> = Api[G][K] extends infer E extends Endpoint
  ? E
  : never;

/** Performs one row of the contract for whoever looks at the page, with the row's own validation and rules. */
export type Ask = <G extends keyof Api, K extends keyof Api[G]>(
  group: G,
  key: K,
  input: Input<RowOf<G, K>>,
) => Promise<Output<RowOf<G, K>>>;

/** One look at a page, or one form sent from it. */
export interface Visit {
  readonly context: Context;
  /** Who is signed in in this browser; always somebody on pages for users. */
  readonly user: User | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** What a refused form carried and its `act`, so that nobody types it again; secrets are left out. */
  readonly form: Readonly<Record<string, string>>;
  /** What every form of the page carries. */
  readonly csrf: string;
  readonly ask: Ask;
}

/** The main part of a page. */
export interface View {
  readonly title: string;
  readonly main: VNode;
  readonly status?: number;
  readonly narrow?: boolean;
  /** Why something was not done. */
  readonly problem?: string;
  /** After how many seconds it may be tried again. */
  readonly retryAfterSeconds?: number | undefined;
  /** The origin to which a form of the page leads on, beside this server. */
  readonly callback?: string;
}

/** Another address to go on to, and the sentence that is shown there. */
export interface Move {
  readonly to: string;
  readonly note?: string;
}

/** What a page answers with. */
export type Outcome = View | Move;

/** What one form of a page does. */
export interface Act {
  readonly fields: TObject;
  /** Whether a form that was sent before, as by loading its answer again, is refused instead of done again. */
  readonly once?: boolean;
  readonly perform: (form: unknown, visit: Visit) => Promise<Outcome>;
}

/** Pairs what a form carries with what is done with it. */
export const act = <const F extends TObject>(
  fields: F,
  perform: (form: Static<F>, visit: Visit) => Promise<Outcome>,
): Act => ({
  fields,
  // The interpreter's boundary: it has checked the form against these fields.
  perform: (form, visit) => perform(form as Static<F>, visit),
});

/** The same for what makes something anew each time: each form is done once. Throws `formUsed` for one sent again. */
export const actOnce = <const F extends TObject>(
  fields: F,
  perform: (form: Static<F>, visit: Visit) => Promise<Outcome>,
): Act => ({ ...act(fields, perform), once: true });

/** A page. One for a user sends whoever is not signed in to sign in first. */
export interface Page {
  readonly path: `/${string}`;
  readonly access: "anyone" | "user";
  readonly show: (visit: Visit) => Promise<Outcome> | Outcome;
  /** What its forms do, by the value of their member `act`. */
  readonly acts?: Readonly<Record<string, Act>>;
}
