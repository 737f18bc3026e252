import lodash from "lodash";

/** lodash, the global `_`. */
export const library: unknown = lodash;
