import fc from "fast-check";
import { expect, test } from "vitest";
import { idOf, valueIdOf } from "../../../server/read/ids.ts";
import { looksLikeUlid } from "../../../src/contract/ids.ts";

const key = fc.string({ minLength: 1, maxLength: 40 }).map((path) => `/${path}`);

test("ids of texts look like ULIDs, and are other ones for other texts", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { minLength: 2 }), (texts) => {
      const ids = texts.map(idOf);
      expect(ids.every(looksLikeUlid)).toBe(true);
      expect(new Set(ids).size).toBe(texts.length);
    }),
  );
});

test("ids of values look like ULIDs, the same at every call, and other ones for other components and keys", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.ulid(), { minLength: 2, maxLength: 5 }),
      fc.uniqueArray(key, { minLength: 2, maxLength: 5 }),
      (components, keys) => {
        const ids = () => components.flatMap((id) => keys.map((one) => valueIdOf(id, one)));
        expect(ids().every(looksLikeUlid)).toBe(true);
        expect(ids()).toEqual(ids());
        expect(new Set(ids()).size).toBe(components.length * keys.length);
      },
    ),
  );
});
