import { maintenanceIn } from "../contract/maintenance.ts";
import type { DaemonStatus } from "../ipc/contract.ts";
import type { Output } from "./output.ts";
import { printable } from "./table.ts";
import { age } from "./times.ts";

/** A daemon's status as a person reads it. `now` is in milliseconds since the epoch. */
export function daemonLines(status: DaemonStatus, now: number, output: Output): string[] {
  const since = (timestamp: string): string => age(now - Date.parse(timestamp));
  const { server, session } = status;
  const field = (name: string, text: string): string => `${output.dim(name.padEnd(10))} ${text}`;
  const online = server.state === "online";
  const closed = maintenanceIn(server.error);
  const state = online ? output.green(server.state) : output.yellow(printable(closed ?? server.state));
  const retry =
    server.nextRetryAt === null ? "" : `, tries again in ${age(Date.parse(server.nextRetryAt) - now)}`;
  const who = session.username === null ? "" : ` as ${printable(session.username)}`;
  const why = session.message === null ? "" : `: ${printable(session.message)}`;
  return [
    field("daemon", `process ${status.pid}, version ${status.version}, up ${since(status.startedAt)}`),
    field("server", `${status.serverUrl} ${state} since ${since(server.since)}${online ? "" : retry}`),
    ...(server.error === null || closed !== undefined ? [] : [field("", printable(server.error))]),
    field("session", `${session.state}${who}${why}`),
    ...(status.workspaceId === null ? [] : [field("workspace", status.workspaceId)]),
    ...status.lists.map(({ resource, items, syncedAt, error, note }) =>
      field(
        "list",
        `${resource}  ${items} items, ${syncedAt === null ? (note ?? "not read yet") : `read ${since(syncedAt)} ago`}${
          error === null ? "" : `, ${output.yellow(printable(error))}`
        }`,
      ),
    ),
    ...status.notices.map(({ at, message }) => field("notice", `${since(at)} ago  ${printable(message)}`)),
  ];
}
