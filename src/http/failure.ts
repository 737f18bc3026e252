import type { TSchema } from "typebox";
import { explain, matches } from "../contract/check.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import { ApiError, type ErrorName, errorNameOf } from "../contract/errors.ts";
import { BuildingResponse } from "../contract/shapes.ts";
import { harmlessUrl } from "./address.ts";
import type { Answer } from "./client.ts";

/** There was no answer: refused, timed out, cut off. Worth another try later. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
}

/** There was an answer, but not one the contract knows: another server, a proxy's page, a newer version. */
export class UnexpectedAnswerError extends Error {
  override readonly name = "UnexpectedAnswerError";
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What was asked for is still being made: ask again after that many seconds. */
export class StillBuildingError extends Error {
  override readonly name = "StillBuildingError";
  readonly building: BuildingResponse;
  constructor(building: BuildingResponse) {
    super(building.message);
    this.building = building;
  }
  get retryAfterSeconds(): number {
    return this.building.retryAfterSeconds;
  }
}

export const connectionError = (url: string, reason: string, cause: Error): ConnectionError =>
  new ConnectionError(`could not reach ${harmlessUrl(url)}: ${reason}`, { cause });

const fallback: Readonly<Record<number, ErrorName>> = {
  401: "unauthenticated",
  403: "forbidden",
  404: "notFound",
  429: "rateLimited",
  503: "unavailable",
};

/** The error that an answer with a status of 300 or more stands for. */
export function answerError(endpoint: Endpoint, answer: Answer): Error {
  const body: Readonly<Record<string, unknown>> =
    typeof answer.body === "object" && answer.body !== null ? { ...answer.body } : {};
  const name = errorNameOf(answer.status, body["code"]) ?? fallback[answer.status];
  const message = typeof body["message"] === "string" ? body["message"] : undefined;
  if (name === undefined || (message === undefined && typeof answer.body === "string")) {
    return new UnexpectedAnswerError(
      answer.status,
      `${title(endpoint)} was answered with HTTP ${answer.status}${message === undefined ? "" : `: ${message}`}`,
    );
  }
  const retryAfterSeconds = retryAfter(answer.headers["retry-after"]);
  return new ApiError(name, message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
}

/** What a 202 of a row with `building` stands for. */
export const stillBuilding = (endpoint: Endpoint, answer: Answer): Error =>
  matches(BuildingResponse, answer.body)
    ? new StillBuildingError(answer.body)
    : unexpectedAnswer(endpoint, BuildingResponse, answer);

/** Seconds of a `Retry-After` header; undefined when it is absent or a date. */
export function retryAfter(header: string | string[] | undefined): number | undefined {
  if (typeof header !== "string") return undefined;
  const seconds = Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

export function unexpectedAnswer(endpoint: Endpoint, schema: TSchema, answer: Answer): UnexpectedAnswerError {
  const why = explain(schema, answer.body, "answer") ?? "unknown reason";
  return new UnexpectedAnswerError(
    answer.status,
    `${title(endpoint)} was answered with another shape: ${why}`,
  );
}

const title = (endpoint: Endpoint): string => `${endpoint.method} ${endpoint.path}`;
