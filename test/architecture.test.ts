import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

interface Import {
  readonly file: string;
  readonly target: string;
  readonly typeOnly: boolean;
}

const sources = ["src", "server", "daemon", "tui"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file).split(sep).join("/")),
);

/** Every import of a file, relative ones as paths from the root, packages by name. */
function importsOf(file: string): Import[] {
  const { module } = parseSync(file, readFileSync(join(root, file), "utf8"));
  const resolve = (specifier: string): string =>
    specifier.startsWith(".")
      ? relative(root, normalize(join(root, dirname(file), specifier)))
          .split(sep)
          .join("/")
      : specifier;
  const named = module.staticImports.map((statement) => ({
    file,
    target: resolve(statement.moduleRequest.value),
    typeOnly: statement.entries.length > 0 && statement.entries.every((entry) => entry.isType),
  }));
  const again = module.staticExports.flatMap((statement) =>
    statement.entries.flatMap((entry) =>
      entry.moduleRequest === null || entry.moduleRequest === undefined
        ? []
        : [{ file, target: resolve(entry.moduleRequest.value), typeOnly: entry.isType }],
    ),
  );
  const dynamic = module.dynamicImports.flatMap((statement) => {
    const text = readFileSync(join(root, file), "utf8").slice(
      statement.moduleRequest.start,
      statement.moduleRequest.end,
    );
    return /^["']/.test(text) ? [{ file, target: resolve(text.slice(1, -1)), typeOnly: false }] : [];
  });
  return [...named, ...again, ...dynamic];
}
const imports = sources.flatMap(importsOf);
const within = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
const isLocal = (target: string): boolean => within(target, ["src", "server", "daemon", "tui", "test"]);

interface Rule {
  readonly of: readonly string[];
  readonly except?: readonly string[];
  /** Local folders that may be imported. */
  readonly from: readonly string[];
  /** Local folders of which only types may be imported. */
  readonly types?: readonly string[];
  /** Packages that may be imported; undefined means any. */
  readonly packages?: readonly string[];
  readonly because: string;
}

/** The table of `src/README.md#layout`, as data. */
const rules: readonly Rule[] = [
  {
    of: ["src/contract"],
    from: ["src/contract"],
    packages: ["typebox", "typebox/compile"],
    because: "the contract is read by every part and must depend on none",
  },
  {
    of: ["src"],
    except: ["src/contract", "src/cli/launch.ts"],
    from: ["src"],
    because: "what the parts share cannot know the parts; only launch.ts starts them",
  },
  {
    of: ["server/domain"],
    from: ["server/domain"],
    types: ["src/contract"],
    packages: [],
    because: "rules are pure: no clock, SQL, HTTP or Node",
  },
  {
    of: ["server/store"],
    from: ["server/store", "src/contract", "src/lib"],
    types: ["server/domain"],
    because: "the store keeps rows; rules and routes sit above it",
  },
  {
    of: ["server"],
    except: ["server/domain", "server/store"],
    from: ["server", "src"],
    because: "the server serves any client and knows none",
  },
  { of: ["daemon"], from: ["daemon", "src"], because: "the daemon works against any server" },
  {
    of: ["tui/core", "tui/view"],
    from: ["tui/core", "tui/view"],
    types: ["src", "tui/data"],
    packages: ["get-east-asian-width"],
    because: "what a screen shows is a pure function of the model",
  },
  {
    of: ["tui"],
    except: ["tui/core", "tui/view"],
    from: ["tui", "src"],
    because: "the dashboard is fed by the daemon's socket only",
  },
];

describe("the layout", () => {
  it.each(rules)("$of: $because", ({ of, except = [], from, types = [], packages }) => {
    const broken = imports
      .filter(({ file }) => within(file, of) && !within(file, except))
      .filter(({ target, typeOnly }) =>
        isLocal(target)
          ? !within(target, from) && !(typeOnly && within(target, types))
          : !typeOnly && packages !== undefined && !packages.includes(target),
      )
      .map(({ file, target }) => `${file} imports ${target}`);
    expect(broken).toEqual([]);
  });

  it("lets only tui/term know blessed and its charts", () => {
    const broken = imports.filter(
      ({ target, file }) => /^blessed/.test(target) && !within(file, ["tui/term"]),
    );
    expect(broken.map(({ file }) => file)).toEqual([]);
  });

  it("keeps SQL in server/store", () => {
    const drivers = imports.filter(
      ({ target, typeOnly }) => !typeOnly && /^(kysely|@photostructure\/sqlite|pg)$/.test(target),
    );
    expect(drivers.map(({ file }) => file).filter((file) => !within(file, ["server/store"]))).toEqual([]);
    const queries =
      /\bdb\s*\.\s*(selectFrom|insertInto|replaceInto|updateTable|deleteFrom|mergeInto|with|executeQuery)\(/;
    const asking = sources
      .filter((file) => within(file, ["server"]) && !within(file, ["server/store"]))
      .filter((file) => queries.test(readFileSync(join(root, file), "utf8")));
    expect(asking).toEqual([]);
  });

  it("reads time and chance only in src/lib/clock.ts, the environment only in src/config/load.ts", () => {
    const broken = sources.flatMap((file) => {
      const whole = readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
      // Code of functions stands there as text.
      const code = within(file, ["server/catalogue", "server/sample"])
        ? whole.replace(/`[^`]*`/g, "")
        : whole;
      const time = /\bDate\.now\(|\bMath\.random\(|\bsetTimeout\(|\bsetInterval\(|new Date\(\)/.test(code);
      const env = /\bprocess\.env\b/.test(code);
      return [
        ...(time && file !== "src/lib/clock.ts" ? [`${file} reads the time by itself`] : []),
        ...(env && file !== "src/config/load.ts" ? [`${file} reads the environment by itself`] : []),
      ];
    });
    expect(broken).toEqual([]);
  });

  it("has no cycle of imports", () => {
    const next = new Map<string, string[]>();
    for (const { file, target, typeOnly } of imports) {
      if (!typeOnly && isLocal(target)) next.set(file, [...(next.get(file) ?? []), target]);
    }
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(" → "));
      else if (!done.has(file)) for (const target of next.get(file) ?? []) visit(target, [...path, file]);
      done.add(file);
    };
    for (const file of sources) visit(file, []);
    expect(cycles).toEqual([]);
  });

  it("keeps files small", () => {
    const long = sources.filter((file) => readFileSync(join(root, file), "utf8").split("\n").length > 301);
    expect(long).toEqual([]);
  });

  it("has a short account of itself in every folder", () => {
    const folders = [
      "src",
      "src/cli",
      "src/config",
      "server",
      "server/domain",
      "server/store",
      "daemon",
      "tui",
      "test",
    ];
    const missing = folders.filter((folder) => !readdirSync(join(root, folder)).includes("README.md"));
    expect(missing).toEqual([]);
  });
});
