import type { AnyCommand } from "./command.ts";

/** The words before the last one of every group of commands, and what it is about. */
export const nouns: Readonly<Record<string, string>> = {
  auth: "Log in, log out, see who you are",
  session: "Where you are signed in",
  key: "Personal keys",
  "change-set": "Change sets of a workspace",
  component: "Components of a change set",
  action: "Queued actions",
  run: "Runs of functions",
  job: "Management functions, and functions of one's own over a component",
  schema: "Schemas, and the catalogue",
  function: "Functions of schemas",
  secret: "Secrets of a change set",
  "policy-report": "Reports of policy checks on a change set",
  event: "What happened in a workspace",
  audit: "Who did what to accounts, keys and workspaces, from where",
  workspace: "Workspaces, and which one commands act in",
  "workspace member": "Who is in a workspace",
  "workspace token": "Tokens that act in one workspace, for automation",
  collective: "Collectives: several people, and tokens that act for them",
  "collective member": "Who is in a collective",
  "collective invitation": "Who was asked into a collective, and where you were",
  "collective token": "Tokens that act as a collective",
  invitation: "Invitations that come with a code",
  server: "The server of this machine",
  "server maintenance": "Close the server to everybody while something is done to it",
  "server workspace": "All workspaces of the server, as its operator sees them",
  "server user": "All accounts of the server, as its operator sees them",
  config: "Settings of this machine",
  daemon: "The background mirror of a workspace",
};

/** Every path that calls a command: its own and its aliases. */
export function pathsOf(command: AnyCommand): string[] {
  const words = command.path.split(" ");
  return [command.path, ...(command.aliases ?? []).map((alias) => [...words.slice(0, -1), alias].join(" "))];
}
