import type { Cancel, Clock } from "../src/lib/clock.ts";
import type { Command, Message } from "./core/message.ts";
import { type Model, newModel, type Start } from "./core/model.ts";
import { update } from "./core/update.ts";
import type { Input } from "./term/input.ts";
import type { Terminal } from "./term/terminal.ts";
import { contains } from "./view/rect.ts";
import type { Scene } from "./view/scene.ts";
import type { Theme } from "./view/theme.ts";
import { view } from "./view/view.ts";

/** 30 frames in a second at most; two while nobody looks. */
const frameMs = 33;
const unseenFrameMs = 500;
const tickMs = 1_000;
/** Resizes come in bursts while a window is dragged. */
const resizeMs = 40;

export interface LoopOptions {
  readonly clock: Clock;
  readonly terminal: Terminal;
  readonly theme: Theme;
  readonly start: Omit<Start, "now" | "size">;
  /** Everything the model asks for that is not about the screen. */
  readonly perform: (command: Command) => void;
}

/** Turns messages into models, models into scenes, and scenes into frames: at most 30 in a second, none for nothing. */
export class Loop {
  readonly #options: LoopOptions;
  #model: Model;
  #drawn: Model | null = null;
  #scene: Scene<Message> | null = null;
  #frame: { readonly due: number; readonly cancel: Cancel } | null = null;
  #lastFrame = Number.NEGATIVE_INFINITY;
  #tick: Cancel | null = null;
  #resize: Cancel | null = null;
  #seen = true;
  #stopped = false;

  constructor(options: LoopOptions) {
    this.#options = options;
    const { clock, terminal, start } = options;
    this.#model = newModel({ ...start, now: clock.now(), size: terminal.size() });
  }

  get model(): Model {
    return this.#model;
  }

  /** Takes the terminal, draws the first frame at once, and lets the clock tick. */
  start(): void {
    this.#options.terminal.open();
    this.#apply({ type: "tick", now: this.#options.clock.now() });
    this.paint();
    this.#scheduleTick();
  }

  /** Ends ticking and drawing; the terminal is left to its owner. */
  stop(): void {
    this.#stopped = true;
    this.#frame?.cancel();
    this.#tick?.();
    this.#resize?.();
    this.#frame = null;
  }

  /** Something happened: the model changes now, the frame follows soon. */
  dispatch(message: Message): void {
    if (this.#stopped) return;
    this.#apply(message);
    this.#schedule(message.type === "key" || message.type === "row" || message.type === "wheel");
  }

  /** A person did something. */
  input(input: Input): void {
    switch (input.type) {
      case "key":
      case "paste":
        this.dispatch(input);
        return;
      case "focus":
        this.#seen = input.on;
        this.#schedule(true);
        return;
      case "wheel": {
        const target = this.#scene?.targets.findLast(
          (each) => each.wheel !== undefined && contains(each.rect, input.x, input.y),
        );
        const message = target?.wheel?.(input.by);
        if (message !== undefined) this.dispatch(message);
        return;
      }
      case "click": {
        const target = this.#scene?.targets.findLast(
          (each) => each.wheel === undefined && contains(each.rect, input.x, input.y),
        );
        if (input.button === 0 && target?.click !== undefined) this.dispatch(target.click);
        return;
      }
    }
  }

  /** The terminal has another size; nothing is drawn until it has kept it for a moment. */
  resized(): void {
    this.#frame?.cancel();
    this.#frame = null;
    this.#resize?.();
    this.#resize = this.#options.clock.after(resizeMs, () => {
      this.#resize = null;
      this.#apply({ type: "resize", size: this.#options.terminal.size() });
      this.redraw();
    });
  }

  /** Draws everything anew, whatever the terminal shows. */
  redraw(): void {
    this.#options.terminal.redraw();
    this.#drawn = null;
    this.paint();
  }

  /** The terminal takes bytes again. */
  drained(): void {
    this.#schedule(true);
  }

  /** Draws the model as it is now, unless that is on the screen already. */
  paint(): void {
    this.#frame?.cancel();
    this.#frame = null;
    if (this.#resize !== null || this.#drawn === this.#model) return;
    const { terminal, theme, clock } = this.#options;
    const model = this.#model;
    const scene = view(model, theme);
    this.#lastFrame = clock.now();
    if (!terminal.paint(scene)) return;
    this.#scene = scene;
    this.#drawn = model;
  }

  #apply(message: Message): void {
    const [model, commands] = update(this.#model, message);
    this.#model = model;
    for (const command of commands) this.#perform(command);
  }

  #perform(command: Command): void {
    if (command.type === "redraw") this.redraw();
    else if (command.type === "rest") {
      const { key, ms } = command;
      this.#options.clock.after(ms, () => this.dispatch({ type: "rested", key }), { background: true });
    } else this.#options.perform(command);
  }

  #schedule(urgent: boolean): void {
    if (this.#resize !== null || this.#stopped) return;
    const { clock } = this.#options;
    const due = Math.max(clock.now(), this.#lastFrame + (urgent || this.#seen ? frameMs : unseenFrameMs));
    if (this.#frame !== null && this.#frame.due <= due) return;
    this.#frame?.cancel();
    this.#frame = { due, cancel: clock.after(due - clock.now(), () => this.paint()) };
  }

  #scheduleTick(): void {
    const { clock } = this.#options;
    this.#tick = clock.after(tickMs - (clock.now() % tickMs), () => {
      this.#scheduleTick();
      this.dispatch({ type: "tick", now: clock.now() });
    });
  }
}
