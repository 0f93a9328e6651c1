import * as fc from "fast-check";
import { expect, test } from "vitest";
import { lineDiff } from "./line-diff.ts";

test("a comparison contains both texts: without the added lines it is the earlier one, without the gone lines the later one", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 }).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDiff(before, after);
      const without = (kind: string): string =>
        lines
          .filter((line) => line.kind !== kind)
          .map((line) => line.text)
          .join("\n");
      expect(without("added")).toBe(before);
      expect(without("gone")).toBe(after);
    }),
    { seed: 22 },
  );
});

test("unchanged lines around a change are shown", () => {
  expect(lineDiff("one\ntwo\nthree", "one\n2\nthree").map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    "same one",
    "gone two",
    "added 2",
    "same three",
  ]);
});
