import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { showAttributes } from "../../../server/domain/attribute-view.ts";
import { canonical } from "../../../server/domain/json.ts";
import { sourcesOf } from "../../../server/domain/overlay.ts";
import { computeValues } from "../../../server/domain/values.ts";
import { props } from "./sample.ts";
import { attributesPatch, run, steps, valuesOf, viewOf } from "./workspace.ts";

describe("a workspace with change sets over it", () => {
  test("after an apply the head is what the change set showed, and no other patch has changed", () => {
    fc.assert(
      fc.property(steps, (all) => run(all, () => undefined)),
      { numRuns: 300 },
    );
  });

  test("attributes sent back as they were read change nothing", () => {
    fc.assert(
      fc.property(steps, (all) => {
        run(all, (workspace, id) => {
          for (const settings of viewOf(workspace, id).values()) {
            const shown = showAttributes(props, settings);
            expect(attributesPatch(workspace, settings, Object.entries(shown))).toEqual({});
          }
        });
      }),
      { numRuns: 100 },
    );
  });

  test("values come out the same when each subscription is given what it gave last", () => {
    fc.assert(
      fc.property(steps, (all) => {
        run(all, (workspace, id) => {
          const view = viewOf(workspace, id);
          for (const [component, vals] of valuesOf(view)) {
            const settings = view.get(component) ?? {};
            const last = new Map(
              sourcesOf(settings).map(({ key, source, path }) => [source + path, vals[key]]),
            );
            expect(computeValues(props, settings, (id, path) => last.get(id + path) ?? undefined)).toEqual(
              vals,
            );
          }
        });
      }),
      { numRuns: 50 },
    );
  });

  test("values have the same text whenever they are equal", () => {
    fc.assert(
      fc.property(steps, (all) => {
        run(all, (workspace, id) => {
          for (const vals of valuesOf(viewOf(workspace, id)).values()) {
            expect(canonical(JSON.parse(JSON.stringify(vals)))).toBe(canonical(vals));
          }
        });
      }),
      { numRuns: 50 },
    );
  });
});
