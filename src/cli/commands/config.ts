import { settingsDocument } from "../../config/document.ts";
import { type OptionKey, optionKeys, optionRow } from "../../config/options.ts";
import { configFile } from "../../config/paths.ts";
import { type AnyCommand, command } from "../command.ts";

interface SettingRow {
  readonly key: string;
  readonly value: unknown;
  readonly from: string;
  readonly doc: string;
}

const columns = [
  { title: "KEY", text: ({ key }: SettingRow) => key },
  { title: "VALUE", text: ({ value }: SettingRow) => shown(value) },
  { title: "FROM", text: ({ from }: SettingRow) => from },
  { title: "DECIDES", text: ({ doc }: SettingRow) => doc },
];
const shown = (value: unknown): string =>
  value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);

/** A setting as it may be printed. */
const shownOf = (key: OptionKey, value: unknown): unknown =>
  typeof value === "string" ? (optionRow(key).shown?.(value) ?? value) : value;

/** `svc config …`. */
export const configCommands: readonly AnyCommand[] = [
  command({
    path: "config list",
    aliases: ["ls"],
    summary: "Show every setting, its value and where that stands",
    examples: [{ line: "config list --json", does: "for programs" }],
    run: async (_args, { config, output }) => {
      const { settings, origins, directories } = config();
      const rows = optionKeys.map((key) => ({
        key,
        value: shownOf(key, settings[key]),
        from: origins[key],
        doc: optionRow(key).doc,
      }));
      output.table({ file: configFile(directories), settings: rows }, columns, rows, "");
    },
  }),
  command({
    path: "config docs",
    summary: "Print what each setting and variable takes, as Markdown",
    examples: [{ line: "config docs", does: "keys, variables, defaults" }],
    run: async (_args, { output }) => {
      if (output.json) output.result({ text: settingsDocument() }, []);
      else output.text(settingsDocument());
    },
  }),
];
