// What of WebAssembly the engine needs; the compiler's own declarations come with those of browsers only.
declare namespace WebAssembly {
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  const Memory: new (descriptor: { readonly initial: number; readonly maximum: number }) => Memory;
  function compile(bytes: Uint8Array): Promise<Module>;
}
