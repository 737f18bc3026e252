import type { Model, ScreenId } from "../core/model.ts";
import type { Canvas } from "./draw/canvas.ts";
import type { Layout } from "./layout.ts";

/** How one screen looks. */
export interface ScreenView {
  readonly id: ScreenId;
  readonly draw: (canvas: Canvas, layout: Layout, model: Model) => void;
}
