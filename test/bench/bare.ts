// The bare thing, a node:http server as a process of its own. `bare.js <file>` sends the bytes of a file from memory;
// `bare.js <file> <database>` also commits the body of each PUT as one row of that SQLite database.
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";

const [file = "", database] = process.argv.slice(2);
const bytes = readFileSync(file);
const etag = '"bare"';
// A handle that nobody holds is closed by the garbage collector, whatever its statements do.
const handle = database === undefined ? undefined : new DatabaseSync(database);
const put = handle && putter(handle);

const server = createServer((request, response) => {
  if (request.method === "PUT") {
    put?.(request, response);
    return;
  }
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
process.on("SIGTERM", () => server.close(() => handle?.close()));

/** One prepared statement that commits by itself, as durable as the server's own writes. */
function putter(db: DatabaseSyncInstance): (request: IncomingMessage, response: ServerResponse) => void {
  for (const pragma of ["busy_timeout = 5000", "synchronous = FULL", "cache_size = -65536"])
    db.exec(`pragma ${pragma}`);
  db.exec("create table if not exists bare(id text primary key, body text)");
  const statement = db.prepare(
    "insert into bare(id, body) values (?, ?) on conflict(id) do update set body = excluded.body",
  );
  return (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      statement.run(request.url, Buffer.concat(chunks).toString());
      response
        .writeHead(200, { "content-type": "application/json", "content-length": bytes.length })
        .end(bytes);
    });
  };
}
