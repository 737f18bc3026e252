/** An answer that is JSON text already: sent as it is, neither validated nor serialised again. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
