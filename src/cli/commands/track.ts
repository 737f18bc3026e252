import { connectDaemon } from "../../ipc/connect.ts";
import { readFlag } from "../change-set-choice.ts";
import { type AnyCommand, command } from "../command.ts";
import { findDaemon, noDaemon } from "../daemon-process.ts";
import { printable } from "../table.ts";
import { readPlace } from "./component-target.ts";

const nouns = { run: "run", managementJob: "management job", debugJob: "debug job" } as const;

/** `svc track`. */
export const trackCommands: readonly AnyCommand[] = [
  command({
    path: "track",
    summary: "Have the daemon follow a run or a job until it has ended",
    details:
      "For servers that do not list them: dashboards show it then. What a server lists is followed anyway, and so is what was started through the daemon.",
    needs: "key",
    positionals: { id: { doc: "Id of the run or job" } },
    options: { "change-set": readFlag },
    examples: [{ line: "track 01J0000000000000000000000R", does: "says what it is and where it stands" }],
    run: async (args, context) => {
      const profile = await context.profile();
      if ((await findDaemon(profile)) === undefined) throw noDaemon(profile);
      const { changeSetId } = await readPlace(context, args["change-set"]);
      const { daemon } = connectDaemon(profile.socketPath);
      const answer = await daemon.track({ body: { changeSetId, id: args.id } });
      const follows = answer.tracked ? "followed until it has ended" : "in the mirror, or over";
      context.output.result(answer, [`${nouns[answer.kind]} ${printable(answer.state)}: ${follows}`]);
    },
  }),
];
