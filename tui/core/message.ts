import type { ComponentView } from "../../src/contract/components.ts";
import type { Size } from "../view/rect.ts";
import type { Answer } from "./answer.ts";
import type { Deed, Model, PaneId, Route, TabId } from "./model.ts";

/** Everything that can happen to the dashboard. */
export type Message =
  | { readonly type: "key"; readonly key: string; readonly text?: string }
  | { readonly type: "paste"; readonly text: string }
  | { readonly type: "resize"; readonly size: Size }
  | { readonly type: "tick"; readonly now: number }
  | { readonly type: "answer"; readonly now: number; readonly answer: Answer }
  /** The daemon showed that it is there, without news. */
  | { readonly type: "heard"; readonly now: number }
  | { readonly type: "lost"; readonly now: number; readonly error: string; readonly nextRetryAt: number }
  | {
      readonly type: "component";
      readonly now: number;
      readonly key: string;
      readonly result: ComponentResult;
    }
  /** A run that is followed has news. */
  | { readonly type: "run"; readonly now: number; readonly funcRunId: string; readonly result: RunResult }
  /** The cursor has rested on a row long enough to read the component for the preview. */
  | { readonly type: "rested"; readonly key: string }
  /** The daemon took a request of the dashboard, or not. */
  | { readonly type: "done"; readonly now: number; readonly text: string; readonly failed: boolean }
  /** The mouse chose a row: the first time it is selected, again it is opened. */
  | { readonly type: "row"; readonly pane: PaneId; readonly list: string; readonly place: number }
  | { readonly type: "wheel"; readonly list: string; readonly rows: number }
  | { readonly type: "go"; readonly route: Route }
  | { readonly type: "tab"; readonly tab: TabId }
  | { readonly type: "close" };

export type ComponentResult =
  | { readonly own: ComponentView; readonly head: ComponentView | null }
  | { readonly error: string };

export type RunResult = { readonly run: unknown } | { readonly error: string };

/** What the dashboard asks the world to do. */
export type Command =
  | { readonly type: "quit" }
  | { readonly type: "redraw" }
  | { readonly type: "suspend" }
  | { readonly type: "refresh" }
  | { readonly type: "reconnect" }
  /** Ask something of the server; answer with `done`. */
  | { readonly type: "do"; readonly deed: Deed; readonly workspaceId: string }
  /** Answer with `run` whenever that run has news, until it has ended or another one is followed. */
  | {
      readonly type: "followRun";
      readonly workspaceId: string;
      readonly changeSetId: string;
      readonly funcRunId: string;
    }
  | { readonly type: "leaveRun" }
  | { readonly type: "copy"; readonly text: string }
  /** Answer with `rested` after `ms`. */
  | { readonly type: "rest"; readonly key: string; readonly ms: number }
  | {
      readonly type: "component";
      readonly key: string;
      readonly workspaceId: string;
      readonly changeSetId: string;
      readonly componentId: string;
      /** Whether to read the same component of the head too. */
      readonly withHead: boolean;
    };

/** A model and what is to be done about it. */
export type Step = readonly [Model, readonly Command[]];
