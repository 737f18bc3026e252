import { type OptionKey, optionKeys, optionRow, variables } from "./options.ts";

/** The documentation of every setting and variable, as Markdown; the table of options is its only source. */
export function settingsDocument(): string {
  const settings = optionKeys.map((key) => {
    const { environment, expects, doc } = optionRow(key);
    return row([code(key), environment === undefined ? "" : code(environment), expects, defaultOf(key), doc]);
  });
  const others = Object.entries(variables).map(([name, doc]) => row([code(name), doc]));
  return [
    "# Settings",
    "",
    "Settings stand in `config.json` in the configuration directory, as one object with these keys. A variable of the environment goes before the file; an empty one counts as unset. An unknown key is named and passed over.",
    "",
    row(["key", "variable", "takes", "default", "what it decides"]),
    row(["---", "---", "---", "---", "---"]),
    ...settings,
    "",
    "These variables have no key:",
    "",
    row(["variable", "what it decides"]),
    row(["---", "---"]),
    ...others,
    "",
  ].join("\n");
}

function defaultOf(key: OptionKey): string {
  const { default: value, defaultText } = optionRow(key);
  if (defaultText !== undefined) return defaultText;
  return value === undefined ? "none" : code(typeof value === "string" ? value : JSON.stringify(value));
}

const code = (text: string): string => `\`${text}\``;
const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
