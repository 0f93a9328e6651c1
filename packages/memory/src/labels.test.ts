import type { MemoryLabel } from "@bailiwick/core";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isDoubted, joinLabels } from "./labels.ts";

const reader = fc.constantFrom("user:ana" as const, "user:ben" as const, "user:__proto__" as const);
const label: fc.Arbitrary<MemoryLabel> = fc.record({
  integrity: fc.constantFrom("system" as const, "user" as const, "verified" as const, "untrusted" as const),
  readers: fc.oneof(fc.constant("public" as const), fc.uniqueArray(reader)),
});

/** Readers in another order. */
const plain = ({ integrity, readers }: MemoryLabel): unknown => ({
  integrity,
  readers: readers === "public" ? readers : readers.toSorted(),
});

test("the join of labels is the same in any order and grouping, and never more trusted than its inputs [memory.labels.summary]", () => {
  fc.assert(
    fc.property(label, label, label, (one, two, three) => {
      const joined = joinLabels([one, two, three]);
      expect(plain(joinLabels([three, one, two]))).toEqual(plain(joined));
      expect(plain(joinLabels([joinLabels([one, two]), three]))).toEqual(plain(joined));
      expect(plain(joinLabels([one, one]))).toEqual(plain(one));
      for (const each of [one, two, three]) {
        expect(isDoubted(each.integrity, joined.integrity)).toBe(false);
        if (each.readers === "public") continue;
        expect(joined.readers).not.toBe("public");
        for (const who of joined.readers) expect(each.readers).toContain(who);
      }
    }),
  );
});
