import type { Binding } from "./binding.ts";
import type { Model, ScreenId } from "./model.ts";

/** A screen: its name, how one gets there in words, and the keys it adds to those of lists and of everywhere. */
export interface Screen {
  readonly id: ScreenId;
  readonly title: string;
  /** The key that opens it from anywhere, when there is one. */
  readonly key: string | null;
  readonly bindings: readonly Binding[];
  /** The way from the top to here, for the first row. */
  readonly crumbs: (model: Model) => readonly string[];
}
