import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The package's own directory: the one that holds package.json, from sources and from dist alike. */
export const packageDirectory: string = findPackage(dirname(fileURLToPath(import.meta.url)));

/** The version in package.json. */
export const version: string = readVersion();

function findPackage(folder: string): string {
  const parent = dirname(folder);
  return existsSync(join(folder, "package.json")) || parent === folder ? folder : findPackage(parent);
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageDirectory, "package.json"), "utf8"));
  if (typeof manifest === "object" && manifest !== null && "version" in manifest)
    return String(manifest.version);
  return "0.0.0";
}
