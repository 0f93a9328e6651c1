import * as fc from "fast-check";
import { expect, test } from "vitest";
import { HeldText } from "./answer-gate.ts";

const pieces = fc.array(fc.record({ text: fc.string({ maxLength: 4 }), commentary: fc.boolean() }), { maxLength: 8 });

/** Each character with its kind. */
const spelt = (all: readonly { readonly text: string; readonly commentary: boolean }[]): readonly string[] =>
  all.flatMap(({ text, commentary }) => text.split("").map((character) => `${character}${commentary ? "c" : "a"}`));

test("held text is released unchanged, in any chunks, each character with its kind [events.text.commentary]", () => {
  fc.assert(
    fc.property(pieces, fc.array(fc.integer({ min: -3, max: 6 }), { maxLength: 6 }), (given, counts) => {
      const held = new HeldText();
      for (const { text, commentary } of given) held.add(text, commentary);
      expect(held.text).toBe(given.map(({ text }) => text).join(""));
      expect(held.length).toBe(held.text.length);
      const taken = counts.flatMap((count) => {
        const before = held.length;
        const some = held.take(count);
        expect(held.length).toBe(before - Math.min(before, Math.max(0, count)));
        return some;
      });
      expect(spelt([...taken, ...held.takeAll()])).toEqual(spelt(given));
      expect(held.text).toBe("");
    }),
  );
});
