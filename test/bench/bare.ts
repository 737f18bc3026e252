// The bare thing: a node:http server that sends the bytes of a file from memory, as a process of its own.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const [file = ""] = process.argv.slice(2);
const bytes = readFileSync(file);
const etag = '"bare"';
const server = createServer((request, response) => {
  if (request.headers["if-none-match"] === etag) {
    response.writeHead(304, { etag }).end();
    return;
  }
  response
    .writeHead(200, { "content-type": "application/json", "content-length": bytes.length, etag })
    .end(bytes);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
process.on("SIGTERM", () => server.close());
