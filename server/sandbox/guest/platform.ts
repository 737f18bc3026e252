// What packages ask Node's `util` and `url` for.
const { TextEncoder, URL } = globalThis;

export { TextEncoder, URL };
