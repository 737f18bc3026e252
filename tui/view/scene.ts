import type { Frame } from "./frame.ts";
import type { Rect } from "./rect.ts";

/** Numbers over time that a chart widget draws over the frame, where the terminal can show it. */
export type ChartSpec =
  | {
      readonly kind: "sparkline";
      readonly rect: Rect;
      readonly title: string;
      readonly values: readonly number[];
      readonly colour: number | undefined;
    }
  | {
      readonly kind: "line";
      readonly rect: Rect;
      readonly labels: readonly string[];
      readonly values: readonly number[];
      readonly colour: number | undefined;
      readonly text: number | undefined;
    };

/** A part of the screen that answers the mouse with a message, drawn later ones first. */
export interface Target<Message> {
  readonly rect: Rect;
  readonly click?: Message;
  readonly wheel?: (by: 1 | -1) => Message;
}

/** One picture: cells, the charts that lie over them, and the parts of the cells that lie over the charts. */
export interface Scene<Message = never> {
  readonly frame: Frame;
  readonly charts: readonly ChartSpec[];
  readonly over: readonly Rect[];
  readonly targets: readonly Target<Message>[];
}
