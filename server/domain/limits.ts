/** Deepest nesting of a property, a pointer or a JSON value. */
export const maximumDepth = 64;

/** Most elements of one array and entries of one map. */
export const maximumElements = 1_000;

/** Most settings of one component: its row is read and written whole (10,000 × about 80 bytes = 0.8 MB). */
export const maximumSettings = 10_000;

/** Longest text of one attribute, in UTF-16 units: half of what a JSON body may hold. */
export const maximumText = 1_000_000;

/**
 * Longest stored key, in UTF-16 units. A key is part of an index, and PostgreSQL's index rows end at 2,704 bytes:
 * 800 × 3 bytes + 2 ids of 26 + overhead < 2,600.
 */
export const maximumKey = 800;

/** Longest name of a component, in UTF-16 units; indexed too: 500 × 3 bytes + an id < 1,600. */
export const maximumName = 500;

/** Most components that one request names: their rows are read and written together (1,000 × about 4 KB = 4 MB). */
export const maximumBatch = 1_000;
