import { type AnyCommand, type Flag, globalFlags } from "./command.ts";
import { pathsOf } from "./command-list.ts";

/** Shells that a completion script can be made for. */
export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** For each beginning of a command line, without options, the words that may follow it. */
export function completionWords(commands: readonly AnyCommand[]): ReadonlyMap<string, readonly string[]> {
  const words = new Map<string, Set<string>>();
  const add = (at: string, word: string): void => {
    words.set(at, (words.get(at) ?? new Set()).add(word));
  };
  for (const row of commands) {
    for (const path of pathsOf(row)) {
      const parts = path.split(" ");
      for (const [index, word] of parts.entries()) add(parts.slice(0, index).join(" "), word);
      for (const [name, flag] of Object.entries<Flag>({ ...row.options, ...globalFlags })) {
        add(path, `--${name}`);
        for (const choice of flag.choices ?? []) add(path, choice);
      }
    }
  }
  return new Map([...words].map(([at, set]) => [at, [...set].sort()]));
}

/** A script that teaches a shell the commands and options; it never runs svc. */
export function completionScript(shell: Shell, commands: readonly AnyCommand[]): string {
  const words = completionWords(commands);
  switch (shell) {
    case "bash":
      return bash(words);
    case "zsh":
      return `#compdef svc\nautoload -U +X bashcompinit && bashcompinit\n${bash(words)}`;
    case "fish":
      return fish(words);
  }
}

function bash(words: ReadonlyMap<string, readonly string[]>): string {
  const cases = [...words].map(([at, list]) => `    "${at}") words="${list.join(" ")}" ;;`);
  return `_svc() {
  local word at="" words="" current="\${COMP_WORDS[COMP_CWORD]}" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$word" in -*) continue ;; esac
    case " ${[...words.keys()]
      .filter((at) => at !== "")
      .map((at) => at.replaceAll(" ", "/"))
      .join(" ")} " in
      *" \${at:+$at/}$word "*) at="\${at:+$at/}$word" ;;
    esac
  done
  case "\${at//\\// }" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _svc svc
`;
}

function fish(words: ReadonlyMap<string, readonly string[]>): string {
  const lines = [...words].map(
    ([at, list]) => `complete -c svc -f -n "__svc_at '${at}'" -a "${list.join(" ")}"`,
  );
  const known = [...words.keys()].filter((at) => at !== "").map((at) => `'${at}'`);
  return `function __svc_at
  set -l at
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and continue
    set -l next (string trim -- "$at $word")
    contains -- $next ${known.join(" ")}; and set at $next
  end
  test "$at" = "$argv[1]"
end
${lines.join("\n")}
`;
}
