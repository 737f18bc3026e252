import { parse } from "toml";

/** The global `toml`. */
export const library: unknown = { parse };
