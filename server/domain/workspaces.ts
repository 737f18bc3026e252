import { describe, isReadable } from "./json.ts";
import { refuse } from "./refusal.ts";

/** What a person wrote about a workspace. */
export interface WorkspaceTexts {
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  readonly instanceUrl?: string | undefined;
}

/** Most characters of each text. */
const longest = { displayName: 256, description: 512 } as const;

/** The first character that a name or a description does not take: U+00D7 and U+00F7 are signs among letters. */
const notPlain = /[^0-9A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u1ef9\s',_+().-]/u;

/** `http://` or `https://`, a host, a port, and a path of letters, digits, spaces, `_`, `.` and `-`. */
const webAddress = /^https?:\/\/([a-z\d.-]+)(:\d+)?(\/[\w .-]*)*$/i;

/** Throws `badRequest` for the first text that is too long, has a character it must not have, or is no address. */
export function checkWorkspaceTexts({ displayName, description, instanceUrl }: WorkspaceTexts): void {
  if (displayName !== undefined) {
    checkPlain("displayName", displayName);
    if (!isReadable(displayName)) {
      refuse("badRequest", `displayName: expected a name that can be read, found ${describe(displayName)}`);
    }
  }
  if (description !== undefined) checkPlain("description", description);
  if (instanceUrl !== undefined) hostOf(instanceUrl);
}

function checkPlain(member: keyof typeof longest, text: string): void {
  if (text.length > longest[member]) {
    refuse("badRequest", `${member}: expected at most ${longest[member]} characters, found ${text.length}`);
  }
  const [wrong] = notPlain.exec(text) ?? [];
  if (wrong !== undefined) {
    refuse(
      "badRequest",
      `${member}: expected letters, digits, spaces and ' , _ + ( ) . -, found ${JSON.stringify(wrong)}`,
    );
  }
}

/** The host of an instance's address, in lower case. Throws `badRequest`. */
function hostOf(instanceUrl: string): string {
  const host = webAddress.exec(instanceUrl)?.[1];
  if (host !== undefined && URL.canParse(instanceUrl)) return host.toLowerCase();
  return refuse(
    "badRequest",
    `instanceUrl: expected an address such as https://svc.example.org, found ${JSON.stringify(instanceUrl.slice(0, 80))}`,
  );
}

/** Where an instance runs, by its address: on the machine at hand, or elsewhere; unknown counts as elsewhere. */
export function instanceEnvTypeOf(instanceUrl: string | undefined): "LOCAL" | "PRIVATE" {
  if (instanceUrl === undefined) return "PRIVATE";
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3})$/.test(hostOf(instanceUrl)) ? "LOCAL" : "PRIVATE";
}

/** A person's name in two: the first word, and what follows it; null for what is not there. */
export function splitName(name: string): {
  readonly firstName: string | null;
  readonly lastName: string | null;
} {
  const [first = "", ...others] = name.trim().split(/\s+/);
  return { firstName: first === "" ? null : first, lastName: others.length === 0 ? null : others.join(" ") };
}
