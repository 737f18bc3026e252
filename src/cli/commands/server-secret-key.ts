import { type AnyCommand, command, placeFlags } from "../command.ts";

/** `svc server rotate-secret-key`. */
export const serverSecretKeyCommands: readonly AnyCommand[] = [
  command({
    path: "server rotate-secret-key",
    summary: "Seal all secrets anew with another key",
    details:
      "Makes a new key in the server's key file, seals every secret with it while the server goes on, then takes the old one away. Interrupted at any moment nothing is lost, and the next call finishes it. Workspace tokens and everything else stay valid. With SVC_SECRET_KEY it says how to give both keys; several machines must share the key file, or use SVC_SECRET_KEY.",
    options: placeFlags,
    examples: [{ line: "server rotate-secret-key", does: "whether the server runs or not" }],
    run: async ({ data, database }, { operator, output }) => {
      const done = await operator({ data, database }, ({ secretKey }) => secretKey.rotate({}));
      const { resealed, unreadable, resumed } = done;
      output.result(done, [
        `sealed ${resealed} ${resealed === 1 ? "version" : "versions"} of secrets with ${resumed ? "the key that was there already" : "a new key"}`,
      ]);
      if (unreadable > 0)
        output.warn(
          `${unreadable} could not be opened with any key that is here and are left as they are: put the key back that sealed them, and run this again`,
        );
    },
  }),
];
