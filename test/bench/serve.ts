// A server of ours on a database that is there already, as a process of its own: `serve.js <file>`.
import { dirname, join } from "node:path";
import { startServer } from "../../server/main.ts";
import { silentLog } from "../../src/lib/log.ts";

const [file = ""] = process.argv.slice(2);
const server = await startServer(
  {
    host: "127.0.0.1",
    port: 0,
    database: `sqlite:${file}`,
    operatorSocket: undefined,
    secretKeyFile: join(dirname(file), "secret.key"),
    secretKey: undefined,
    publicUrl: undefined,
    trustProxy: false,
    signUp: "closed",
    eventDays: 30,
    telemetry: true,
    functions: {
      network: { mode: "off", hosts: [] },
      commands: { programs: {}, path: "" },
      seconds: 60,
      megabytes: 64,
      processes: 2,
    },
    logLevel: "error",
  },
  { log: silentLog },
);
process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);

process.on("SIGTERM", () => void server.stop());
