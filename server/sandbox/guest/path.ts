import { define } from "./define.ts";

/** Node's `path` for POSIX: texts only, no file is touched. */
export function installPath(): void {
  const path = {
    sep: "/",
    delimiter: ":",
    normalize,
    join,
    resolve,
    dirname,
    basename,
    extname,
    isAbsolute,
    relative,
  };
  define("path", { ...path, posix: path });
}

const isAbsolute = (path: string): boolean => path.startsWith("/");

function segments(path: string, absolute: boolean): string[] {
  const kept: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") kept.push(part);
    else if (kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else if (!absolute) kept.push("..");
  }
  return kept;
}

function normalize(path: string): string {
  const absolute = isAbsolute(path);
  const body = segments(path, absolute).join("/");
  if (body === "") return absolute ? "/" : path.endsWith("/") && path !== "" ? "./" : ".";
  return `${absolute ? "/" : ""}${body}${path.endsWith("/") ? "/" : ""}`;
}

const join = (...parts: readonly string[]): string =>
  normalize(parts.filter((part) => part !== "").join("/"));

function resolve(...parts: readonly string[]): string {
  const last = parts.findLastIndex(isAbsolute);
  return `/${segments(parts.slice(Math.max(last, 0)).join("/"), true).join("/")}`;
}

function dirname(path: string): string {
  const bare = path.replace(/(?<=.)\/+$/, "");
  const at = bare.lastIndexOf("/");
  if (at < 0) return ".";
  return at === 0 ? "/" : bare.slice(0, at).replace(/(?<=.)\/+$/, "");
}

function basename(path: string, suffix = ""): string {
  const name = path.replace(/\/+$/, "").split("/").at(-1) ?? "";
  return suffix !== "" && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

const extname = (path: string): string => /(?<=[^/])\.[^./]*$/.exec(basename(path))?.[0] ?? "";

function relative(from: string, to: string): string {
  const [here, there] = [segments(resolve(from), true), segments(resolve(to), true)];
  const same = here.findIndex((part, at) => part !== there[at]);
  const shared = same < 0 ? here.length : same;
  return [...here.slice(shared).map(() => ".."), ...there.slice(shared)].join("/");
}
