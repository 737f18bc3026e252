import * as jsonpatch from "fast-json-patch";

/** The global `jsonpatch`. */
export const library: unknown = jsonpatch;
