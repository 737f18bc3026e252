// A server of ours with a workspace of N components, as a process of its own: `serve.js <directory> <N>`.
import { join } from "node:path";
import { firstSettings } from "../../server/domain/component.ts";
import { startServer } from "../../server/main.ts";
import { rulesFor } from "../../server/read/rules.ts";
import { getSchemaNamed, listViews, VariantCache } from "../../server/read/variants.ts";
import { seedSample } from "../../server/sample/seed.ts";
import { applyChangeSet } from "../../server/store/apply.ts";
import { createChangeSet } from "../../server/store/change-sets.ts";
import { createComponents } from "../../server/store/component-writes.ts";
import { changeLayer } from "../../server/store/layer.ts";
import { createPropagate } from "../../server/store/propagate.ts";
import { silentLog } from "../../src/lib/log.ts";

const [directory = "", count = "0"] = process.argv.slice(2);
const server = await startServer(
  {
    host: "127.0.0.1",
    port: 0,
    database: `sqlite:${join(directory, "bench.db")}`,
    operatorSocket: undefined,
    secretKeyFile: join(directory, "secret.key"),
    secretKey: undefined,
    publicUrl: undefined,
    trustProxy: false,
    signUp: "closed",
    logLevel: "error",
  },
  { log: silentLog },
);
const { store } = server;
const { user, workspaceId, access } = await seedSample({ store });

const variants = new VariantCache();
const layer = await createChangeSet(store, { workspaceId, name: "many components", actor: user.id });
const schema = await getSchemaNamed(store, layer, "VPC");
const view = (await listViews(store, layer)).find(({ isDefault }) => isDefault);
const batch = 500;
for (let from = 0; from < Number(count); from += batch) {
  const event = { kind: "component.created", actor: user.id } as const;
  await changeLayer(store, layer, event, (change) =>
    createComponents(
      change,
      rulesFor(change.tx, variants),
      Array.from({ length: Math.min(batch, Number(count) - from) }, (_, index) => ({
        id: store.id(),
        schemaId: schema.id,
        variantId: schema.defaultVariantId,
        settings: {
          ...firstSettings(`network-${from + index}`, view?.id ?? ""),
          "/domain/CidrBlock": { v: "10.1.0.0/16" },
          "/domain/Region": { v: "eu-west-1" },
        },
      })),
    ),
  );
}
const propagate = createPropagate(store, rulesFor(store, variants));
while ((await propagate(layer.id)) !== "idle");
await applyChangeSet(store, rulesFor(store, variants), {
  workspaceId,
  changeSetId: layer.id,
  actor: user.id,
});
process.stdout.write(`${JSON.stringify({ url: server.url, workspaceId, key: access?.key })}\n`);

process.on("SIGTERM", () => void server.stop());
