import { parseSearch } from "../../server/domain/search-query.ts";
import { type SearchTools, searchComponents } from "../../server/read/search.ts";
import { SearchIndex } from "../../server/read/search-index.ts";
import { VariantCache } from "../../server/read/variants.ts";
import { getHead } from "../../server/store/change-sets.ts";
import { editComponent } from "../../server/store/component-writes.ts";
import { changeLayer, type Layer } from "../../server/store/layer.ts";
import type { Fixture } from "./fixture.ts";
import { type Ratio, sideBySide, timed, typical } from "./measure.ts";
import { createBench } from "./seeding.ts";

const components = 10_000;
const query = "Region:eu-west";
/** Searches of one turn, of which the median counts. */
const searches = 20;

/**
 * A search for one attribute, from the query's text to its hits with the look whether anything was written since,
 * against a bare loop over the same rows in memory that knows the attribute and the text in advance.
 */
export async function benchSearch(fixture: Fixture): Promise<Ratio[]> {
  const { workspace, store } = await fixture.open(components);
  const bench = createBench(store, workspace.workspaceId, workspace.actor);
  const head = await getHead(store, workspace.workspaceId);
  const set = await bench.changeSet();
  const tools: SearchTools = { variants: new VariantCache(), search: new SearchIndex() };
  const search = (layer: Layer) =>
    searchComponents(store, tools, layer, { query: parseSearch(query, "query.q") });
  const rows = (await tools.search.view(store, tools.variants, head)).components;
  const loop = (): object[] => {
    const hits: object[] = [];
    for (const { id, name, shape, values } of rows) {
      for (let slot = 0; slot < values.length; slot++) {
        const value = values[slot];
        if (typeof value !== "string" || shape.paths[slot]?.lower.endsWith("/region") !== true) continue;
        if (value.includes("eu-west")) hits.push({ id, name });
      }
    }
    return hits;
  };
  const found = (await search(head)).length;
  if (found !== loop().length || found === 0) throw new Error(`the search found ${found}`);

  let edits = 0;
  const edit = (): Promise<unknown> =>
    changeLayer(store, set, { kind: "component.changed", actor: workspace.actor }, (change) => {
      const id = workspace.componentIds[(edits++ * 7919) % components] ?? "";
      return editComponent(change, bench.rules, id, () => ({ "/domain/ImageId": { v: `ami-${edits}` } }));
    });
  const afterEdit = async (): Promise<number> => {
    await edit();
    return timed(() => search(set));
  };
  const bare = (): Promise<number> => typical(searches, loop);
  const common = { unit: "ms", wanted: "<= 2", rounds: 15, bare };
  return [
    await sideBySide({
      ...common,
      name: `search of ${components} components for one attribute, against a bare loop`,
      ours: () => typical(searches, () => search(head)),
    }),
    await sideBySide({
      ...common,
      name: "the same in a change set right after an edit",
      wanted: "",
      ours: afterEdit,
    }),
  ];
}
