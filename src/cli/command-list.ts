import type { AnyCommand } from "./command.ts";

/** The first word of every group of commands, and what it is about. */
export const nouns: Readonly<Record<string, string>> = {
  auth: "Log in, log out, see who you are",
  "change-set": "Change sets of a workspace",
  component: "Components of a change set",
  workspace: "Which workspace commands act in",
  server: "The server of this machine",
  config: "Settings of this machine",
  daemon: "The background mirror of a workspace",
};

/** Every path that calls a command: its own and its aliases. */
export function pathsOf(command: AnyCommand): string[] {
  const words = command.path.split(" ");
  return [command.path, ...(command.aliases ?? []).map((alias) => [...words.slice(0, -1), alias].join(" "))];
}
