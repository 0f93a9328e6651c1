import assert from "node:assert/strict";
import type { MemoryStore } from "@bailiwick/core";
import type { ConformanceCase } from "../provider-conformance/index.ts";
import { rejectsWith } from "../store-conformance/store-case.ts";
import { ana, dayMs, entryOf, idsOf, memoryCase, longAgo } from "./memory-case.ts";
import type { MemorySetup } from "./memory-case.ts";

const at = (days: number): number => longAgo + days * dayMs;

/** Cases about the time at which facts are true and known. */
export function timeCases(setup: MemorySetup): readonly ConformanceCase[] {
  return [
    memoryCase(
      setup,
      "a fact is superseded, never overwritten: a query for an earlier time returns the fact as it was known then [memory.kind.semantic] [feature:X047]",
      async (memories) => {
        // Ana lived in Rome from day 0 on, moved to Oslo on day 10, and reported it on day 12.
        await memories.put(entryOf("rome", "Ana lives in Rome.", { name: "home" }));
        await memories.supersede(
          "rome",
          entryOf("oslo", "Ana lives in Oslo.", { name: "home", validFrom: at(10), recordedAt: at(12) }),
        );
        const told = async (query: { readonly asOf?: number; readonly knownAt?: number }) =>
          idsOf(await memories.query({ scope: ana, name: "home", ...query }));
        assert.deepEqual(await told({}), ["oslo"]);
        assert.deepEqual(await told({ asOf: at(9) }), ["rome"]);
        assert.deepEqual(await told({ asOf: at(10) }), ["oslo"]);
        assert.deepEqual(await told({ asOf: at(11) }), ["oslo"]);
        assert.deepEqual(await told({ asOf: at(11), knownAt: at(11) }), ["rome"], "it was not known yet");
        assert.deepEqual(await told({ asOf: at(-1) }), []);
        const rome = await memories.get("rome", ana);
        assert.deepEqual(
          { ...rome },
          {
            ...entryOf("rome", "Ana lives in Rome.", { name: "home" }),
            validTo: at(10),
            supersededBy: "oslo",
            supersededAt: at(12),
          },
        );
        assert.deepEqual(idsOf(await memories.query({ scope: ana, text: "Rome" })), []);
        assert.deepEqual(idsOf(await memories.query({ scope: ana, text: "Rome", asOf: at(1) })), ["rome"]);
      },
    ),
    memoryCase(
      setup,
      "a fact ends at its time, and a fact that begins later is not returned before [memory.kind.semantic]",
      async (memories) => {
        await memories.put(entryOf("trip", "A trip.", { validTo: at(3) }));
        assert.deepEqual(idsOf(await memories.query({ scope: ana, asOf: at(2) })), ["trip"]);
        assert.deepEqual(await memories.query({ scope: ana, asOf: at(3) }), []);
        assert.deepEqual(await memories.query({ scope: ana }), []);
        const farOff = Date.now() + 1_000 * dayMs;
        await memories.put(entryOf("move", "A move.", { validFrom: farOff, recordedAt: longAgo }));
        assert.deepEqual(await memories.query({ scope: ana }), []);
        assert.deepEqual(idsOf(await memories.query({ scope: ana, asOf: farOff })), ["move"]);
        // The writer's clock is ahead of the store's: the entry must still be found.
        await memories.put(entryOf("ahead", "Now.", { validFrom: farOff, recordedAt: farOff }));
        assert.deepEqual(idsOf(await memories.query({ scope: ana })), ["ahead"]);
      },
    ),
    memoryCase(
      setup,
      "a fact is superseded once: of two that would replace it one is stored, and the same one again changes nothing [memory.store]",
      async (memories) => {
        await memories.put(entryOf("a", "one"));
        const results = await Promise.allSettled([
          memories.supersede("a", entryOf("b", "two", { recordedAt: at(1) })),
          memories.supersede("a", entryOf("c", "three", { recordedAt: at(1) })),
        ]);
        assert.deepEqual(results.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
        const [winner] = await memories.query({ scope: ana });
        assert.ok(winner);
        await memories.supersede("a", winner.entry);
        assert.equal((await memories.query({ scope: ana })).length, 1, "the refused entry was not written");
        await rejectsWith(memories.supersede("a", entryOf("d", "four")), "MEMORY_SUPERSEDED", "a third one");
        await rejectsWith(memories.supersede("nobody", entryOf("d", "four")), "MEMORY_NOT_FOUND", "no such entry");
        assert.equal(await memories.get("d", ana), undefined);
        await memories.supersede(winner.entry.id, entryOf("e", "five", { recordedAt: at(2) }));
        await memories.supersede("e", winner.entry);
        assert.deepEqual(
          idsOf(await memories.query({ scope: ana })),
          ["e"],
          "a repeated earlier write does not supersede again",
        );
        await chain(memories);
      },
    ),
  ];
}

/** A long history of one fact, with one entry per day. */
async function chain(memories: MemoryStore): Promise<void> {
  await memories.put(entryOf("v0", "version", { name: "v" }));
  for (let day = 1; day < 6; day += 1)
    await memories.supersede(
      `v${day - 1}`,
      entryOf(`v${day}`, "version", { name: "v", validFrom: at(day), recordedAt: at(day) }),
    );
  for (let day = 0; day < 6; day += 1)
    assert.deepEqual(idsOf(await memories.query({ scope: ana, name: "v", asOf: at(day) })), [`v${day}`]);
}
