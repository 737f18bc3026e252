import { writeFileSync } from "node:fs";
import { runDashboard } from "../../tui/main.ts";
import { scriptedDaemon } from "./terminal-daemon.ts";
import { worldAnswer, worldComponent, worldStatus } from "./tui-world.ts";

/**
 * A program for terminal tests: a scripted daemon and the dashboard in one process.
 * It leaves its process id beside the socket. SIGUSR1 scribbles on both standard streams, SIGUSR2 crashes.
 */
const [socketPath = "", logPath = "", components = "40", flags = ""] = process.argv.slice(2);

writeFileSync(`${socketPath}.pid`, String(process.pid));
const world = worldAnswer({ components: Number(components), wideNames: true });
await scriptedDaemon(socketPath, {
  status: worldStatus(),
  lists: world.changes,
  answer: (operation, input) => ({
    status: 200,
    body: {
      component: worldComponent(String(Reflect.get(Object(input), "componentId")), operation),
      actionFunctions: [],
      managementFunctions: [],
    },
  }),
});

process.on("SIGUSR1", () => {
  process.stdout.write("STRAY OUTPUT\n");
  process.emitWarning("STRAY WARNING");
});
process.on("SIGUSR2", () => {
  throw new Error("scripted crash");
});

const { TERM, COLORTERM, NO_COLOR, LANG, LC_ALL } = process.env;
const code = await runDashboard({
  socketPath,
  logPath,
  colors: "auto",
  ascii: flags.includes("ascii") ? true : "auto",
  environment: { TERM, COLORTERM, NO_COLOR, LANG, LC_ALL },
});
process.exit(code);
