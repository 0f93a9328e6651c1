import * as fc from "fast-check";
import { expect, test } from "vitest";
import { issuedMemory, type SignatureKind } from "./issued-memory.ts";

const kinds = fc.constantFrom<SignatureKind>("anthropic", "openai", "google");
const anyText = fc.string({ unit: "binary" });

test("another server accepts a signature, and only for the content that was signed", () => {
  fc.assert(
    fc.property(kinds, anyText, anyText, (kind, content, other) => {
      const signature = issuedMemory().sign(kind, content);
      const elsewhere = issuedMemory();
      expect(elsewhere.verify(kind, signature, content)).toBe(true);
      expect(elsewhere.verify(kind, signature, undefined)).toBe(true);
      expect(elsewhere.verify(kind, signature, other)).toBe(other === content);
    }),
  );
});

test("a signature with a character changed, cut or added proves nothing", () => {
  fc.assert(
    fc.property(kinds, anyText, fc.nat(), (kind, content, at) => {
      const memory = issuedMemory();
      const signature = memory.sign(kind, content);
      const index = at % signature.length;
      const changed = signature.slice(0, index) + (signature[index] === "A" ? "B" : "A") + signature.slice(index + 1);
      expect(
        [changed, signature.slice(1), `${signature}AA`].map((wrong) => memory.verify(kind, wrong, undefined)),
      ).toEqual([false, false, false]);
    }),
  );
});
