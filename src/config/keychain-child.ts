// Runs in a process of its own that its parent may kill at any time: a bus that accepts and never answers hangs every
// call of the library, and the end of the process with it.
import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";

/** What the parent asks for; the probe comes first each time, since a locked keyring answers like an empty one. */
export interface KeychainRequest {
  /** Stands in for keytar. */
  readonly library?: string;
  readonly service: string;
  readonly account: string;
  readonly operation: "probe" | "get" | "set" | "delete";
  readonly value?: string;
}

/** `unavailable` when the keychain cannot keep what it is given. */
export type KeychainReply =
  | { readonly state: "ok"; readonly value: string | null }
  | { readonly state: "unavailable"; readonly reason: string };

/** The part of keytar's interface that is used. */
interface Library {
  setPassword(service: string, account: string, password: string): Promise<void>;
  getPassword(service: string, account: string): Promise<string | null>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

async function perform(request: KeychainRequest): Promise<KeychainReply> {
  const library = await load(request.library);
  const { service, account } = request;
  const probe = `probe ${randomUUID()}`;
  await library.setPassword(service, probe, probe);
  const kept = await library.getPassword(service, probe);
  await library.deletePassword(service, probe);
  if (kept !== probe) return { state: "unavailable", reason: "it does not give back what it is given" };
  switch (request.operation) {
    case "probe":
      return { state: "ok", value: null };
    case "get":
      return { state: "ok", value: await library.getPassword(service, account) };
    case "set":
      await library.setPassword(service, account, request.value ?? "");
      return { state: "ok", value: null };
    case "delete":
      await library.deletePassword(service, account);
      return { state: "ok", value: null };
  }
}

async function load(standIn: string | undefined): Promise<Library> {
  // Required, not imported: an optional dependency may be missing when the types are checked, too.
  const require = createRequire(import.meta.url);
  const loaded: unknown = standIn === undefined ? require("keytar") : await import(standIn);
  const candidate =
    typeof loaded === "object" && loaded !== null && "default" in loaded ? loaded.default : loaded;
  if (typeof candidate !== "object" || candidate === null || !("setPassword" in candidate))
    throw new Error("the library is not the one it should be");
  // The boundary to a library without types of its own here.
  return candidate as Library;
}

const reasonOf = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") return "keytar is not installed";
  if (code === "ERR_DLOPEN_FAILED") return "keytar cannot load the system's libsecret";
  return error instanceof Error ? (error.message.split("\n")[0] ?? "unknown") : String(error);
};

process.once("message", (request) => {
  // The parent is the only sender, and it is typed.
  perform(request as KeychainRequest)
    .catch((error: unknown): KeychainReply => ({ state: "unavailable", reason: reasonOf(error) }))
    .then((reply) => process.send?.(reply, () => process.disconnect()))
    .catch(() => process.disconnect());
});
