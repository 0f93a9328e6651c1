import * as fc from "fast-check";
import { expect, test } from "vitest";
import { splitText } from "./split-text.ts";

test("chunks join to the text, none is empty, and no surrogate pair is split", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const chunks = splitText(text);
      expect(chunks.join("")).toBe(text);
      expect(chunks).not.toContain("");
      if (text.isWellFormed()) expect(chunks.every((chunk) => chunk.isWellFormed())).toBe(true);
    }),
  );
});
