import type { VNode } from "preact";
import type { AuditEntry } from "../../../src/contract/audit.ts";
import { agentWords } from "../agent-words.ts";
import { actorWords, auditWords, credentialWords } from "../audit-words.ts";
import type { Page, View, Visit } from "../page-row.ts";
import { Table, Time } from "../parts/table.tsx";

/** What was done to one's own account, or to a collective or workspace that one looks after. */
export const auditPage: Page = { path: "/audit", access: "user", show: auditView };

/** A log that the visitor may read. */
interface Log {
  readonly address: string;
  /** What it is a log of, as a link says it. */
  readonly name: string;
  /** The same in a sentence. */
  readonly of: string;
}

const own: Log = { address: "/audit", name: "Your account", of: "your account, sessions and keys" };

async function auditView(visit: Visit): Promise<View> {
  const { entries, nextCursor } = await entriesOf(visit);
  const logs = await logsOf(visit);
  const address = addressOf(visit);
  const log = logs.find((one) => one.address === address) ?? own;
  const later = visit.query["cursor"] !== undefined;
  return {
    title: "Audit",
    main: (
      <>
        <nav aria-label="Logs">
          <ul class="row">
            {logs.map((one) => (
              <li key={one.address}>
                <a href={one.address} {...(one === log ? { "aria-current": "page" as const } : {})}>
                  <bdi>{one.name}</bdi>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <Table
          caption={`What was done to ${log.of}, newest first`}
          head={["When", "Who", "What", "From", "Subject"]}
          empty={later ? "There are no older entries." : "Nothing has been noted yet."}
          rows={entries.map((entry) => ({ id: entry.id, cells: cellsOf(entry) }))}
        />
        <p>
          What was done to components and change sets is in the history of each workspace:{" "}
          <code>svc event list</code> in a terminal tells it.
        </p>
        <Turns address={address} later={later} nextCursor={nextCursor} />
      </>
    ),
  };
}

function entriesOf({ query, ask }: Visit) {
  const { collective, workspace, cursor } = query;
  const page = cursor === undefined ? {} : { cursor };
  if (collective !== undefined) return ask("audit", "collective", { slug: collective, query: page });
  if (workspace !== undefined) return ask("audit", "workspace", { workspaceId: workspace, query: page });
  return ask("audit", "account", { query: page });
}

/** The logs of what the visitor owns, and of collectives that they administer. */
async function logsOf({ ask }: Visit): Promise<Log[]> {
  const [{ collectives }, workspaces] = await Promise.all([
    ask("collectives", "list", {}),
    ask("workspaces", "list", {}),
  ]);
  return [
    own,
    ...collectives
      .filter(({ role }) => role !== "member")
      .map(({ slug, name }) => ({
        address: logAddress("collective", slug),
        name: `Collective ${name}`,
        of: `the collective ${name}, its members and tokens`,
      })),
    ...workspaces
      .filter(({ role }) => role === "OWNER")
      .map(({ id, displayName }) => ({
        address: logAddress("workspace", id),
        name: `Workspace ${displayName}`,
        of: `the workspace ${displayName}, its members and tokens`,
      })),
  ];
}

/** The address of the log that was asked for, as the links to it are written. */
function addressOf({ query: { collective, workspace } }: Visit): string {
  if (collective !== undefined) return logAddress("collective", collective.toLowerCase());
  return workspace === undefined ? own.address : logAddress("workspace", workspace.toUpperCase());
}

const logAddress = (kind: "collective" | "workspace", id: string): string =>
  `/audit?${new URLSearchParams({ [kind]: id })}`;

/** Links to the pages of a log. */
function Turns({
  address,
  later,
  nextCursor,
}: {
  readonly address: string;
  readonly later: boolean;
  readonly nextCursor: string | null;
}): VNode | null {
  if (!later && nextCursor === null) return null;
  const older = `${address}${address.includes("?") ? "&" : "?"}cursor=${nextCursor}`;
  return (
    <nav aria-label="Pages of the log" class="row">
      {later ? <a href={address}>Newest entries</a> : null}
      {nextCursor === null ? null : <a href={older}>Older entries</a>}
    </nav>
  );
}

/** What was done; the name in quotes, which is somebody's own, keeps its direction to itself. */
function Told({ words }: { readonly words: string }): VNode {
  const [, before = words, name, after] = /^(.*?“)(.*)(”.*)$/s.exec(words) ?? [];
  return (
    <bdi>
      {before}
      {name === undefined ? null : <bdi>{name}</bdi>}
      {after}
    </bdi>
  );
}

/** Address and program; neither is there where it was done at the server itself. */
const From = ({ entry: { ip, userAgent } }: { readonly entry: AuditEntry }): VNode =>
  ip === null && userAgent === null ? (
    <span class="quiet">the server's own machine</span>
  ) : (
    <>
      <code>{ip ?? "no address"}</code> <span class="quiet">{agentWords(userAgent)}</span>
    </>
  );

function cellsOf(entry: AuditEntry) {
  const { at, subject } = entry;
  const credential = credentialWords(entry);
  return [
    <Time key="at" at={at} />,
    <span key="who">
      <bdi>{actorWords(entry)}</bdi>
      {credential === undefined ? null : <span class="quiet">, {credential}</span>}
    </span>,
    <Told key="what" words={auditWords(entry)} />,
    <From key="from" entry={entry} />,
    subject === null ? <span class="quiet">none</span> : <code key="subject">{subject}</code>,
  ];
}
