import type { DaemonStatus } from "../../src/ipc/contract.ts";
import type { Model } from "./model.ts";
import { clockText, durationText, timeOf } from "./time.ts";

/** How much the shown data can be trusted, from best to worst. */
export interface Health {
  readonly state: "live" | "partial" | "behind" | "connecting" | "signed-out" | "offline" | "no-daemon";
  /** For the badge. */
  readonly short: string;
  /** One sentence for the status line, or null when there is nothing to say. */
  readonly sentence: string | null;
  /** True when the rows may not be what the server has. */
  readonly stale: boolean;
}

/** Two held requests of five seconds unanswered, and two seconds of grace. */
export const silenceMs = 12_000;

/** Judges link, session, server and lists, in the order in which each makes the next meaningless. */
export function healthOf(model: Model): Health {
  const { now, link } = model;
  const { status } = model.mirror;
  const since = (time: number | null | undefined): string => durationText(now - (time ?? now));
  const clock = (time: number | undefined): string => clockText(time ?? now, model.zoneMinutes);
  if (link.state === "closed") {
    const known = status !== null;
    return {
      state: "no-daemon",
      short: `no daemon ${since(link.since)}${retry(now, link.nextRetryAt)}`,
      sentence: `No daemon: ${link.error ?? "no answer"}.${known ? " Reading still works." : ""} Start it: svc daemon start`,
      stale: known,
    };
  }
  if (status === null) {
    return { state: "connecting", short: "connecting", sentence: null, stale: false };
  }
  if (link.heardAt !== null && now - link.heardAt > silenceMs) {
    const age = since(link.heardAt);
    return {
      state: "behind",
      short: `${age} behind`,
      sentence: `The daemon has been silent for ${age}.`,
      stale: true,
    };
  }
  const { session, server } = status;
  if (session.state !== "signed-in") {
    const rejected = session.state === "rejected";
    const fallback = rejected ? "The server does not accept the key." : "Nobody is signed in.";
    return {
      state: "signed-out",
      short: rejected ? "key rejected" : "signed out",
      sentence: `${session.message ?? fallback} Sign in with svc auth login.`,
      stale: true,
    };
  }
  if (server.state === "connecting") {
    return {
      state: "connecting",
      short: "connecting",
      sentence: `Connecting to ${status.serverUrl}.`,
      stale: false,
    };
  }
  if (server.state === "offline") {
    const closed = maintenanceOf(server.error);
    if (closed !== undefined) {
      return {
        state: "offline",
        short: `maintenance ${since(timeOf(server.since))}${retry(now, timeOf(server.nextRetryAt))}`,
        sentence: `The server is ${brief(closed)}. Reading still works.`,
        stale: true,
      };
    }
    return {
      state: "offline",
      short: `offline ${since(timeOf(server.since))}${retry(now, timeOf(server.nextRetryAt))}`,
      sentence: `No server since ${clock(timeOf(server.since))}: ${brief(server.error)}. Reading still works.`,
      stale: true,
    };
  }
  if (status.version !== model.version) {
    const sentence = `The daemon is svc ${status.version}, this dashboard ${model.version}: svc daemon stop, then start.`;
    return { state: "partial", short: "version differs", sentence, stale: false };
  }
  const failing = status.lists.filter((list) => list.error !== null);
  if (failing.length > 0) {
    const count = `${failing.length} ${failing.length === 1 ? "list fails" : "lists fail"}`;
    return {
      state: "partial",
      short: count,
      sentence: `${failing[0]?.resource}: ${failing[0]?.error}`,
      stale: false,
    };
  }
  const latency = server.latencyMs === null ? "" : ` ${Math.round(server.latencyMs)} ms`;
  return { state: "live", short: `live${latency}`, sentence: null, stale: false };
}

/** `in maintenance…`, as the server's own sentence says it while its operator has closed it; else undefined. */
const maintenanceOf = (error: string | null): string | undefined =>
  /^the server is (in maintenance.*)$/s.exec(error ?? "")?.[1];

/** The state of the server in a word or two: a server that its operator has closed is not offline. */
export const serverWord = ({ state, error }: DaemonStatus["server"]): string =>
  state === "offline" && maintenanceOf(error) !== undefined ? "in maintenance" : state;

/** When the shown data was last known to be true. */
export function asOf(model: Model): number | undefined {
  const heard = model.link.heardAt ?? undefined;
  if (healthOf(model).state === "behind") return heard;
  return timeOf(model.mirror.status?.server.lastSuccessAt) ?? heard;
}

/** The reason without the address, which stands elsewhere. */
const brief = (error: string | null): string => error?.replace(/^could not reach \S+: /, "") ?? "no answer";

const retry = (now: number, at: number | null | undefined): string =>
  at === null || at === undefined
    ? ""
    : at <= now
      ? " · retrying"
      : ` · retry in ${durationText(at - now + 999)}`;
