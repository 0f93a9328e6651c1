import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parsePartialJson } from "./partial-json.ts";

/** True if every part of a partial value is the beginning of the whole value's part at the same place. */
function isBeginning(partial: unknown, whole: unknown): boolean {
  if (typeof partial === "string")
    return typeof whole === "string" && whole.startsWith(partial.toWellFormed().replace(/\uFFFD$/u, ""));
  if (Array.isArray(partial))
    return Array.isArray(whole) && partial.every((item, index) => isBeginning(item, whole[index]));
  if (typeof partial === "object" && partial !== null) {
    return Object.entries(partial).every(([key, value]) => isBeginning(value, (whole as Record<string, unknown>)[key]));
  }
  return Object.is(partial, whole);
}

test("every prefix of a JSON document parses to a prefix of its value, and the complete document to the full value", () => {
  fc.assert(
    fc.property(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())), (given) => {
      const text = JSON.stringify(given);
      const value: unknown = JSON.parse(text);
      expect(parsePartialJson(text)).toEqual(value);
      for (let end = 0; end < text.length; end += 1) {
        const partial = parsePartialJson(text.slice(0, end));
        if (partial !== undefined) expect(isBeginning(partial, value)).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});
