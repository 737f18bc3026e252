/** Serialised answers by address and tag, least recently used ones dropped when `maximumBytes` is reached. */
export class AnswerCache {
  readonly #answers = new Map<string, Buffer>();
  readonly #maximumBytes: number;
  #bytes = 0;

  constructor(maximumBytes: number) {
    this.#maximumBytes = maximumBytes;
  }

  get(address: string, etag: string): Buffer | undefined {
    const key = `${etag} ${address}`;
    const answer = this.#answers.get(key);
    if (answer === undefined) return undefined;
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    return answer;
  }

  set(address: string, etag: string, answer: Buffer): void {
    const key = `${etag} ${address}`;
    if (answer.length > this.#maximumBytes / 8 || this.#answers.has(key)) return;
    this.#answers.set(key, answer);
    this.#bytes += answer.length;
    for (const [oldest, bytes] of this.#answers) {
      if (this.#bytes <= this.#maximumBytes) break;
      this.#answers.delete(oldest);
      this.#bytes -= bytes.length;
    }
  }
}
