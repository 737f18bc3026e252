import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Ratio, rate, sideBySide } from "./measure.ts";
import { end, type Started, start } from "./processes.ts";

/** Our list page and our 304 against a bare server that sends the same bytes from memory. */
export async function benchHttp(directory: string, ours: Started): Promise<Ratio[]> {
  const { url = "", workspaceId = "", key = "" } = ours.says;
  const page = `${url}/v1/w/${workspaceId}/change-sets/HEAD/components?limit=50&includeAll=true`;
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(page, { headers });
  const file = join(directory, "page.json");
  await writeFile(file, Buffer.from(await answer.arrayBuffer()));
  const bare = await start("bare.js", file);
  const bareUrl = bare.says["url"] ?? "";
  try {
    const etag = answer.headers.get("etag") ?? "";
    return [
      await sideBySide(
        "list page of 50, every include option",
        "requests/s",
        ">= 0.5",
        3,
        () => rate(page, headers, 200),
        () => rate(bareUrl, headers, 200),
      ),
      await sideBySide(
        "conditional GET answered 304",
        "requests/s",
        ">= 0.6",
        3,
        () => rate(page, { ...headers, "if-none-match": etag }, 304),
        () => rate(bareUrl, { ...headers, "if-none-match": '"bare"' }, 304),
      ),
    ];
  } finally {
    await end(bare);
  }
}
