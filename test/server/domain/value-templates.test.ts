import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeAttributes } from "../../../server/domain/attributes.ts";
import type { Json } from "../../../server/domain/json.ts";
import { mergeKeys, type Settings } from "../../../server/domain/overlay.ts";
import { Refusal } from "../../../server/domain/refusal.ts";
import { fill, templateOf } from "../../../server/domain/value-templates.ts";
import { computeValues, type ReadValue } from "../../../server/domain/values.ts";
import { literalChange, subscriptionTo } from "./arbitraries.ts";
import { idMaker, props, writing } from "./sample.ts";

const self = "C1";

/** Settings that a few edits leave, subscriptions to other components and to the component itself among them. */
const settings: fc.Arbitrary<Settings> = fc
  .array(fc.oneof(literalChange, subscriptionTo(fc.constantFrom("C2", "C3", self))), { maxLength: 8 })
  .map((changes) => {
    let written: Settings = {};
    const newId = idMaker();
    for (const change of changes) {
      try {
        const patch = writeAttributes({
          ...writing(written, {}),
          newId,
          findComponent: (id) => ({ id, props }),
          changes: [change],
        });
        written = mergeKeys(written, patch);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
      }
    }
    return written;
  });

/** What other components answer: nothing, what fits and what does not. */
const answers: fc.Arbitrary<ReadValue> = fc
  .dictionary(
    fc
      .constantFrom("C2", "C3")
      .chain((id) => fc.constantFrom("size", "ports", "region").map((at) => id + at)),
    fc.constantFrom<Json>(null, 1, 1.5, "a", [1, "x"], [], { cidr: "x", more: 1 }, {}),
  )
  .map((known) => (id: string, path: string) => known[id + (path.split("/")[2] ?? "")]);

describe("values that are filled into what settings say by themselves", () => {
  it("are those that a computation from scratch finds, and as text", () => {
    let texts = 0;
    fc.assert(
      fc.property(settings, fc.array(answers, { minLength: 1, maxLength: 4 }), (written, reads) => {
        const template = templateOf(props, written, self);
        if (template === undefined) return;
        for (const read of reads) {
          const values = computeValues(props, written, read, self);
          const filled = fill(template, read);
          const inOrder = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
          expect(filled.text).toBe(JSON.stringify(Object.fromEntries(inOrder)));
          expect(filled.vals()).toEqual(values);
          texts++;
        }
      }),
    );
    expect(texts).toBeGreaterThan(0);
  });
});
