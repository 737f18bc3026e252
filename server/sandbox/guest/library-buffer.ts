import { Buffer } from "buffer/index.js";

/** The global `Buffer`. */
export const library: unknown = Buffer;
