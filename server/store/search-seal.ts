/** Moves with the form of stored values as search reads them; a row sealed in another one is not searched. */
const format = 1;

/** What a row carries beside its values, so that search knows whether it can read them; `hash` is over the values. */
export const sealOf = (hash: string): string => `${format}.${hash}`;
