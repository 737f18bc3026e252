import { type AnyCommand, command } from "../command.ts";
import { completionScript, shells } from "../completions.ts";
import { usageProblem } from "../failure.ts";

/** `svc completions`. */
export const completionsCommands: readonly AnyCommand[] = [
  command({
    path: "completions",
    summary: "Print a script that completes commands and options in a shell",
    positionals: { shell: { doc: shells.join(", ") } },
    examples: [
      { line: "completions bash > ~/.local/share/bash-completion/completions/svc", does: "for bash" },
      { line: "completions fish > ~/.config/fish/completions/svc.fish", does: "for fish" },
    ],
    run: async ({ shell }, { output, commands }) => {
      const known = shells.find((each) => each === shell);
      if (known === undefined)
        throw usageProblem(`completions: expected one of ${shells.join(", ")}, got "${shell}"`);
      const script = completionScript(known, commands);
      if (output.json) output.result({ shell: known, script }, []);
      else output.text(script);
    },
  }),
];
