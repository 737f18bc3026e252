import type { IncomingMessage } from "node:http";
import type { Endpoint } from "../contract/endpoint.ts";
import { AnswerCache } from "./answer-cache.ts";

/** A GET as its address alone decides it: the row that answers, and what its path names. */
export interface Resolved {
  readonly operation: string;
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, string>>;
}

/** Answers of list pages and components kept ready to send again while their revision stands. */
const answerBytes = 64 * 1024 * 1024;
/** Addresses remembered at once, each at most that long: 10,000 × 0.5 KB = 5 MB. */
const maximumAddresses = 10_000;
const maximumAddressLength = 512;

/**
 * What is left to do for a GET that was answered before: addresses whose row, path and query were found to be in order
 * (which never changes, since nothing but the address decides it), and the bytes of answers by address and tag.
 */
export class ReadyAnswers {
  readonly bytes = new AnswerCache(answerBytes);
  readonly #resolved = new Map<string, Resolved>();

  /** Remembers that the address was read without a complaint. */
  note(address: string, resolved: Resolved): void {
    if (address.length > maximumAddressLength || this.#resolved.has(address)) return;
    if (this.#resolved.size >= maximumAddresses) this.#resolved.clear();
    this.#resolved.set(address, resolved);
  }

  /** The row of a request that asks for nothing else than a GET of a remembered address does; undefined otherwise. */
  resolve({ method, url = "", headers }: IncomingMessage): Resolved | undefined {
    if (method !== "GET") return undefined;
    const resolved = this.#resolved.get(url);
    if (resolved === undefined || headers["prefer"] !== undefined || hasBody(headers)) return undefined;
    return resolved;
  }
}

const hasBody = (headers: IncomingMessage["headers"]): boolean =>
  headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
