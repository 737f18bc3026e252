import type { GroupHandlers } from "../../src/http/handlers.ts";
import { toTimestamp } from "../../src/lib/clock.ts";
import type { OperatorApi } from "../../src/operator/contract.ts";
import { findSwitch, type SwitchSetting, setSwitch } from "../store/switches.ts";
import type { OperatorContext } from "./context.ts";

/** Handlers of `svc server maintenance …`. */
export const maintenanceHandlers: GroupHandlers<OperatorApi["maintenance"], OperatorContext> = {
  get: async (_input, { store }) => shown(await findSwitch(store, "maintenance")),
  set: ({ body: { on, message } }, { store }) =>
    store.write(async (tx) => {
      const before = await findSwitch(tx, "maintenance");
      const value = { on, message: on ? (message ?? null) : null };
      // Another message does not begin it anew.
      const at = on && before?.value.on === true ? before.at : tx.now;
      await setSwitch(tx, "maintenance", value, at);
      return shown({ value, at });
    }),
};

const shown = (setting: SwitchSetting<"maintenance"> | undefined) => {
  const { on, message } = setting?.value ?? { on: false, message: null };
  return { on, message, since: on && setting !== undefined ? toTimestamp(setting.at) : null };
};
