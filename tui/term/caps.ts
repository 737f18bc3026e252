import type { Depth } from "../view/theme.ts";

/** What the environment says about the terminal. */
export interface TerminalEnvironment {
  readonly TERM?: string | undefined;
  readonly COLORTERM?: string | undefined;
  readonly NO_COLOR?: string | undefined;
  readonly CLICOLOR?: string | undefined;
  readonly LC_ALL?: string | undefined;
  readonly LC_CTYPE?: string | undefined;
  readonly LANG?: string | undefined;
}

/** What a person asked for; `auto` leaves it to the environment. */
export interface TerminalWishes {
  readonly colors: Depth | "auto";
  readonly ascii: boolean | "auto";
}

export interface Capabilities {
  readonly depth: Depth;
  readonly ascii: boolean;
  /** False where leaving must clear the screen, because there is no other one to go back to. */
  readonly alternateScreen: boolean;
}

/** Terminals that cannot address their cells. */
const unusable = new Set(["dumb", "unknown", "network", "cons25-m"]);
const limited = /^(?:linux|ansi|cygwin|cons25|vt\d*|screen|xterm|rxvt|putty)$/;

/**
 * Decides colours and symbols from flags and environment, or gives the sentence that says why the dashboard cannot run.
 * A flag wins over `NO_COLOR`, which wins over what the terminal is able to do.
 */
export function capabilities(
  environment: TerminalEnvironment,
  wishes: TerminalWishes,
): Capabilities | string {
  const term = environment.TERM ?? "";
  if (unusable.has(term)) {
    return `the terminal says TERM=${term}, which cannot show a full screen; use \`svc status\` for text`;
  }
  return {
    depth: wishes.colors === "auto" ? depthOf(term, environment) : wishes.colors,
    ascii: wishes.ascii === "auto" ? term === "linux" || !isUtf8(environment) : wishes.ascii,
    alternateScreen: term !== "linux",
  };
}

function depthOf(term: string, environment: TerminalEnvironment): Depth {
  if ((environment.NO_COLOR ?? "") !== "" || environment.CLICOLOR === "0") return "none";
  if ((environment.COLORTERM ?? "") !== "" || /256|direct/.test(term)) return "256";
  if (/^(?:vt\d*|cons25-m)$/.test(term)) return "none";
  return term === "" || limited.test(term) ? "16" : "256";
}

/** The first locale variable that is set decides, as in the C library; none at all means UTF-8 today. */
function isUtf8(environment: TerminalEnvironment): boolean {
  const locale = [environment.LC_ALL, environment.LC_CTYPE, environment.LANG].find(
    (value) => value !== undefined && value !== "",
  );
  return locale === undefined || /utf-?8/i.test(locale);
}
