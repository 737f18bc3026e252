import { afterAll, beforeAll, expect, it } from "vitest";
import type { Settings } from "../../../server/domain/overlay.ts";
import { rulesFor } from "../../../server/read/rules.ts";
import { getSchemaNamed, VariantCache } from "../../../server/read/variants.ts";
import { createChangeSet } from "../../../server/store/change-sets.ts";
import { sqlite } from "../../support/engines.ts";
import { testSchemas } from "../../support/schemas.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let server: TestServer;
let people = 0;
beforeAll(async () => {
  server = await startTestServer(sqlite);
});
afterAll(() => server.stop());

const source = "01JSRC00000000000000000000";
const from = (path: string) => ({ s: [source, path] as const });
const plain: Settings = {
  "/si/name": { v: "web" },
  "/si/type": { v: "component" },
  "/domain/size": { v: 2 },
};

it.each<[string, Settings]>([
  ["one attribute", { ...plain, "/domain/region": from("/domain/region") }],
  [
    "several, one of them nested",
    { ...plain, "/domain/image": from("/a"), "/domain/network/zone": from("/b") },
  ],
  ["its name", { ...plain, "/si/name": from("/si/name"), "/domain/region": from("/domain/region") }],
  ["a resource", { ...plain, "/resource/payload": { v: '{"a":1}' }, "/domain/region": from("/a") }],
  ["nothing", plain],
])(
  "what is computed again is what is computed at once, of a component that reads %s",
  async (_, settings) => {
    const ada = await server.person(`ada${people++}`);
    const { workspaceId, id: actor } = ada;
    await server.install(ada, testSchemas);
    const layer = await createChangeSet(server.store, { workspaceId, name: "edit", actor });
    const schema = await getSchemaNamed(server.store, layer, "Machine");
    const variantId = schema.defaultVariantId;
    const rules = rulesFor(server.store, new VariantCache());
    const prepared = await rules.prepare(layer, [variantId]);
    const component = { id: "01JREADER00000000000000000", schemaId: schema.id, variantId, settings };
    for (const value of ["one", undefined, "two", 'with "quotes"\n', "", 5, "three"]) {
      const read = () => value;
      const vals = prepared.compute(component, read);
      const again = prepared.recompute(component, read);
      expect(again.vals()).toEqual(vals);
      expect(again.text).toBe(JSON.stringify(vals));
      expect(again.rendered).toEqual(prepared.render(component, vals));
    }
  },
);
