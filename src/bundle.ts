import { copyFileSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { packageDirectory } from "./lib/version.ts";

/**
 * Packages that are made of hundreds of files which every command would read one by one: typebox alone is 700 and takes
 * half of a start. All others are loaded from where they are installed.
 */
const bundled = new Set(["typebox", "got"]);

const installedPackages: Plugin = {
  name: "installed packages",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
      const inside = importer.includes("/node_modules/") || bundled.has(path.split("/")[0] ?? "");
      return kind === "entry-point" || inside ? undefined : { path, external: true };
    });
  },
};

// Run by the build after the compiler: writes dist/bin/svc.js, the command line as a few files instead of a thousand,
// and dist/sandbox, all that the processes of functions may read.
const directory = join(packageDirectory, "dist", "bin");
rmSync(directory, { recursive: true, force: true });
await build({
  absWorkingDir: packageDirectory,
  entryPoints: [join("dist", "src", "cli", "main.js")],
  entryNames: "svc",
  outdir: directory,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  sourcemap: true,
  logLevel: "warning",
  // What got depends on is CommonJS and asks for Node's modules by `require`.
  banner: {
    js: 'import{createRequire as requireFrom}from"node:module";const require=requireFrom(import.meta.url);',
  },
  plugins: [installedPackages],
});

const sandbox = join(packageDirectory, "dist", "sandbox");
const sandboxSources = join("server", "sandbox");
const platformFile = join(packageDirectory, sandboxSources, "guest", "platform.ts");
const guestFiles = readdirSync(join(packageDirectory, sandboxSources, "guest")).filter((file) =>
  /^(core|library-.*)\.ts$/.test(file),
);
rmSync(sandbox, { recursive: true, force: true });
await build({
  absWorkingDir: packageDirectory,
  entryPoints: [join(sandboxSources, "child", "main.ts")],
  outfile: join(sandbox, "child.mjs"),
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  logLevel: "warning",
});
await build({
  absWorkingDir: packageDirectory,
  entryPoints: guestFiles.map((file) => join(sandboxSources, "guest", file)),
  outdir: join(sandbox, "guest"),
  bundle: true,
  // The engine is no platform that packages know: no browser, whose builds lack functions, and no Node.
  platform: "neutral",
  mainFields: ["module", "main"],
  alias: { util: platformFile, url: platformFile },
  format: "iife",
  globalName: "__guest",
  target: "es2022",
  minify: true,
  keepNames: true,
  logLevel: "warning",
});
copyFileSync(
  createRequire(import.meta.url).resolve("@jitl/quickjs-wasmfile-release-sync/wasm"),
  join(sandbox, "quickjs.wasm"),
);
