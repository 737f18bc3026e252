/** Terminal modes that the dashboard uses beyond the alternate screen. */
const mouseModes = ["1000", "1002", "1006"];
const inputModes = ["2004", "1004"];

const set = (modes: readonly string[], on: boolean): string =>
  modes.map((mode) => `\x1b[?${mode}${on ? "h" : "l"}`).join("");

/** Switches on clicks and wheel in SGR form, bracketed paste and focus reports. */
export const modesOn = (mouse: boolean): string =>
  `${mouse ? set(mouseModes, true) : ""}${set(inputModes, true)}`;

/**
 * Puts back everything that the dashboard or the terminal library may have switched on, in the order that leaves the
 * caller's screen: our modes, keypad, scroll region, style, cursor, and the alternate screen last.
 * `clear` is for terminals without an alternate screen, whose content would stay behind.
 */
export const modesOff = (clear: boolean): string =>
  `${set([...mouseModes, ...inputModes], false)}\x1b[?1l\x1b>\x1b[r\x1b[m${clear ? "\x1b[H\x1b[2J" : ""}\x1b[?25h\x1b[?1049l`;

/** Marks around one frame, so that terminals which know them show it at once; others ignore them. */
export const frameStart = "\x1b[?2026h";
export const frameEnd = "\x1b[?2026l";

/** Puts text on the clipboard of whoever looks at the terminal, through any number of ssh hops. */
export const copySequence = (text: string): string =>
  `\x1b]52;c;${Buffer.from(text, "utf8").toString("base64")}\x07`;
