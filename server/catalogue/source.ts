/** TypeScript of a function, to the letter: what is escaped in it stays escaped. */
export const source = String.raw;
