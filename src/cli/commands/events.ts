import type { EventView } from "../../contract/events.ts";
import { maximumLimit } from "../../contract/page.ts";
import { sleep } from "../../lib/clock.ts";
import { type AnyCommand, command } from "../command.ts";
import type { Context } from "../context.ts";
import { usageProblem } from "../failure.ts";
import { type Column, printable } from "../table.ts";

/** What the event says beside its members, shortest first where a name is given. */
const detail = ({ data }: EventView): string => {
  const { name, ...rest } = data;
  const parts = Object.entries(rest).map(
    ([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return [...(typeof name === "string" ? [name] : []), ...parts].join(" ");
};

const columns: readonly Column<EventView>[] = [
  { title: "NUMBER", text: ({ seq }) => String(seq) },
  { title: "AT", text: ({ at }) => at },
  { title: "WHO", text: ({ actor }) => actor.name ?? actor.email ?? actor.id },
  { title: "WHAT", text: ({ kind }) => kind },
  { title: "CHANGE SET", text: ({ changeSetId }) => changeSetId ?? "" },
  { title: "SUBJECT", text: ({ subject }) => subject ?? "" },
  { title: "DETAIL", text: detail },
];

const defaultCount = 20;
/** How long one request of `--follow` is held. */
const heldSeconds = 30;
const pauseMs = 250;

/** `svc event …`. */
export const eventCommands: readonly AnyCommand[] = [
  command({
    path: "event list",
    aliases: ["ls"],
    summary: "List what happened in a workspace, oldest first",
    needs: "key",
    options: {
      since: { kind: "number", value: "number", doc: "Go on after this event; default the last ones" },
      limit: { kind: "number", value: "count", doc: `How many at most; default ${defaultCount}` },
      follow: { kind: "switch", doc: "Go on with what happens from now on, until Ctrl-C", alias: "f" },
    },
    examples: [
      { line: "event list --limit 5", does: "the last five" },
      { line: "event list --follow --json", does: "one document a line, as it happens" },
    ],
    run: async (args, context) => {
      const count = args.limit ?? defaultCount;
      if (count === 0 && !args.follow) throw usageProblem("--limit: expected 1 or more, got 0");
      const since = args.since ?? Math.max(0, (await newest(context)) - count);
      if (args.follow) return follow(context, since);
      const answer = await collect(context, since, count);
      context.output.table(answer, columns, answer.events, "no events");
      if (answer.missed) context.output.warn(`events before number ${answer.oldest} are no longer kept`);
      const last = answer.events.at(-1)?.seq;
      if (last !== undefined && last < answer.newest) context.output.note(`there are more: --since ${last}`);
    },
  }),
];

async function newest(context: Context): Promise<number> {
  const { events } = await context.api();
  return (await events.list({ workspaceId: await context.workspaceId(), query: { limit: 1 } })).newest;
}

/** At most `count` events after `since`, over as many requests as that takes. */
async function collect(context: Context, since: number, count: number) {
  const { events } = await context.api();
  const workspaceId = await context.workspaceId();
  const page = (after: number, limit: number) =>
    events.list({ workspaceId, query: { since: after, limit: Math.min(limit, maximumLimit) } });
  const first = await page(since, count);
  const found: EventView[] = [...first.events];
  let latest = first;
  while (found.length < count && (found.at(-1)?.seq ?? latest.newest) < latest.newest) {
    latest = await page(found.at(-1)?.seq ?? since, count - found.length);
    if (latest.events.length === 0) break;
    found.push(...latest.events);
  }
  return { ...latest, events: found, missed: first.missed };
}

async function follow(context: Context, from: number): Promise<void> {
  const { events } = await context.api();
  const workspaceId = await context.workspaceId();
  const signal = context.untilStopped();
  let since = from;
  let etag: string | undefined;
  while (!signal.aborted) {
    const query = { since, limit: maximumLimit };
    const asked = events.list.conditional({ workspaceId, query }, { etag, waitSeconds: heldSeconds, signal });
    const answer = await asked.catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    if (answer === undefined || answer.unchanged) {
      // A server that is stopping lets go of what it holds.
      await sleep(context.clock, pauseMs, signal);
      continue;
    }
    if (answer.body.missed)
      context.output.warn(`events before number ${answer.body.oldest} are no longer kept`);
    for (const event of answer.body.events) context.output.event(event, line(event));
    since = answer.body.events.at(-1)?.seq ?? Math.max(since, answer.body.newest);
    // A full page is followed at once: its tag stands for the history, not for the page.
    etag = since < answer.body.newest ? undefined : answer.etag;
  }
}

const line = (event: EventView): string =>
  columns
    .map(({ text }) => printable(text(event)))
    .join("  ")
    .trimEnd();
