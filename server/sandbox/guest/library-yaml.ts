import { dump, load } from "js-yaml";

/** The global `YAML`. */
export const library: unknown = { stringify: dump, parse: load };
