import type { BuildingResponse } from "../contract/shapes.ts";

/** The other answer of a row with `building`: what it shows is still being made. */
export class Building {
  readonly body: BuildingResponse;

  /** `message` says what is being made; the times are whole seconds. */
  constructor(message: string, times: { readonly retryAfter: number; readonly estimated: number }) {
    this.body = {
      status: "building",
      message,
      retryAfterSeconds: times.retryAfter,
      estimatedCompletionSeconds: times.estimated,
    };
  }
}
