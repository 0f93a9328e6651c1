import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Integrity, Readers } from "@bailiwick/core";

import {
  createLabelGraph,
  createReaderSets,
  everyone,
  integrities,
  joinIntegrity,
  joinLevels,
  nobody,
  sameLevel,
  systemLevel,
  type Level,
  type ReaderSets,
} from "./lattice.ts";

const integrity = fc.constantFrom<Integrity>(...integrities);
const readers: fc.Arbitrary<Readers> = fc.oneof(
  fc.constant<Readers>("public"),
  fc.uniqueArray(fc.constantFrom<`user:${string}`>("user:a", "user:b", "user:c", "user:d"), { maxLength: 4 }),
);
const level = (sets: ReaderSets): fc.Arbitrary<Level> =>
  fc
    .record({ integrity, control: integrity, readers })
    .map((given) => ({ ...given, readers: sets.intern(given.readers) }));

test("joins are idempotent, commutative and associative, and the developer's text is the bottom [proof.lattice-laws] [flow.label]", () => {
  const sets = createReaderSets();
  fc.assert(
    fc.property(level(sets), level(sets), level(sets), (a, b, c) => {
      const join = (left: Level, right: Level): Level => joinLevels(left, right, sets);
      expect(join(a, a)).toEqual(a);
      expect(join(a, b)).toEqual(join(b, a));
      expect(join(join(a, b), c)).toEqual(join(a, join(b, c)));
      expect(join(a, systemLevel)).toEqual(a);
      expect(sameLevel(join(a, b), join(b, a))).toBe(true);
    }),
  );
});

test("the join is the less trusted of two labels: system < user < verified < untrusted [flow.label.integrity]", () => {
  expect(integrities).toEqual(["system", "user", "verified", "untrusted"]);
  for (const [index, a] of integrities.entries()) {
    for (const [other, b] of integrities.entries())
      expect(joinIntegrity(a, b)).toBe(integrities[Math.max(index, other)]);
  }
});

test("the join is the intersection: public above sets of principals above none [flow.label.readers]", () => {
  const sets = createReaderSets();
  fc.assert(
    fc.property(readers, readers, (a, b) => {
      const joined = sets.readersOf(sets.join(sets.intern(a), sets.intern(b)));
      const expected = a === "public" ? b : b === "public" ? a : a.filter((one) => b.includes(one));
      expect(joined === "public" ? joined : [...joined]).toEqual(
        expected === "public" ? expected : [...expected].toSorted(),
      );
      // Readers of the join are readers of each part.
      expect(sets.covers(sets.intern(a), sets.intern(joined))).toBe(true);
      expect(sets.covers(sets.intern(b), sets.intern(joined))).toBe(true);
      expect(sets.covers(sets.intern(a), sets.intern(b))).toBe(
        a === "public" || (b !== "public" && b.every((one) => a.includes(one))),
      );
    }),
  );
  expect(sets.intern([])).toBe(nobody);
  expect(sets.intern("public")).toBe(everyone);
  expect(sets.covers(nobody, everyone)).toBe(false);
  expect(sets.readersOf(99)).toEqual([]);
});

test("nodes are written once; a label without an explanation counts as the worst [flow.label]", () => {
  const graph = createLabelGraph();
  const first = graph.add(
    { integrity: "verified", control: "verified", readers: everyone },
    { kind: "tool", toolName: "t", toolCallId: "1" },
    ["user"],
  );
  expect(graph.add(graph.levelOf(first), { kind: "join" }, [first, first])).toBe(first);
  expect(graph.take().map(({ id }) => id)).toEqual([first]);
  expect(graph.take()).toEqual([]);
  expect(graph.levelOf("unheard-of").integrity).toBe("untrusted");
  const copy = createLabelGraph();
  const label = graph.labelOf(first);
  if (label !== undefined) copy.load(label);
  copy.load({ id: first, integrity: "system", readers: "public", parents: [], origin: { kind: "system" } });
  expect(copy.levelOf(first).integrity).toBe("verified");
  expect(copy.add(systemLevel, { kind: "system" }, [])).not.toBe(first);
});
