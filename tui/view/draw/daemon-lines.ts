import type { ListHealth } from "../../../src/ipc/contract.ts";
import { healthOf, serverWord } from "../../core/health.ts";
import type { Model } from "../../core/model.ts";
import { find } from "../../core/table.ts";
import { ageText, clockText, durationText, timeOf } from "../../core/time.ts";
import { shorten } from "../width.ts";
import { type Canvas, count, type Span, span, symbol } from "./canvas.ts";

/** More lists than this are summed up, the failing ones never. */
const listLimit = 10;
const label = (text: string): Span => span(text.padEnd(12), "muted");

/** Everything that is known about the daemon, its connection and its lists. */
export function daemonLines(canvas: Canvas, model: Model): readonly (readonly Span[])[] {
  const { status } = model.mirror;
  const { link, now } = model;
  const at = (text: string | null): string => {
    const time = timeOf(text);
    return time === undefined
      ? "never"
      : `${clockText(time, model.zoneMinutes)} (${ageText(now - time)} ago)`;
  };
  const socket =
    link.state === "open"
      ? [symbol(canvas, "ok"), span(` open for ${durationText(now - link.since)}`)]
      : [
          symbol(canvas, "offline"),
          span(` ${link.state} for ${durationText(now - link.since)}  ${link.error ?? ""}`),
        ];
  if (status === null)
    return [
      [label("socket"), ...socket],
      [],
      [span(healthOf(model).sentence ?? "waiting for its first answer")],
    ];
  const { server, session } = status;
  const shown = [...status.lists]
    .sort((a, b) => Number(b.error !== null) - Number(a.error !== null))
    .slice(0, listLimit);
  return [
    [label("socket"), ...socket],
    [
      label("daemon"),
      span(
        `svc ${status.version}, process ${status.pid}, up ${durationText(now - (timeOf(status.startedAt) ?? now))}`,
      ),
    ],
    [
      label("server"),
      symbol(canvas, server.state === "online" ? "ok" : "offline"),
      span(` ${status.serverUrl} ${serverWord(server)} since ${at(server.since)}`),
    ],
    [
      label("last answer"),
      span(
        `${at(server.lastSuccessAt)}${server.latencyMs === null ? "" : `, ${Math.round(server.latencyMs)} ms`}`,
      ),
    ],
    ...(server.error === null ? [] : [[label("error"), span(`${server.error}`, "failed")]]),
    [
      label("session"),
      span(
        `${session.state}${session.username === null ? "" : ` as ${session.username}`}`,
        session.state === "signed-in" ? "text" : "failed",
      ),
    ],
    ...(session.message === null ? [] : [[label(""), span(`${session.message}`, "warn")]]),
    [label("workspace"), span(status.workspaceId ?? "none")],
    [],
    [span(`${"LIST".padEnd(30)}${"ITEMS".padStart(9)}  ${"SYNCED".padEnd(8)}STATE`, "muted")],
    ...shown.map((list) => [
      span(shorten(listTitle(model, list.resource), 29).padEnd(30)),
      span(count(list.items).padStart(9)),
      span(`  ${synced(now, list.syncedAt).padEnd(8)}`, "muted"),
      listState(list),
    ]),
    ...(status.lists.length > shown.length
      ? [[span(`and ${count(status.lists.length - shown.length)} more`, "muted")]]
      : []),
    ...status.notices.slice(-3).map((notice) => [span(`▲ ${notice.message}`, "warn")]),
  ];
}

function listState({ error, failures, note }: ListHealth): Span {
  if (error !== null) return span(`failed ${failures}×: ${error}`, "failed");
  return note === undefined ? span("ok", "ok") : span(note, "muted");
}

const listNames: Readonly<Record<string, string>> = {
  changeSets: "change sets",
  reviews: "review",
  mergeStatuses: "merge status",
  functionRuns: "runs",
};

function listTitle(model: Model, resource: string): string {
  const [list = "", id] = resource.split("/");
  const name = listNames[list] ?? list;
  return id === undefined ? name : `${name} of ${find(model.mirror.changeSets, id)?.name ?? id}`;
}

function synced(now: number, at: string | null): string {
  const time = timeOf(at);
  return time === undefined ? "never" : `${ageText(now - time)} ago`;
}
