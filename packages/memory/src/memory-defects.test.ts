import { MemoryNotFoundError } from "@bailiwick/core";
import { isInScope } from "@bailiwick/core/store";
import type { MemoryHit, MemoryStore } from "@bailiwick/core";
import { memoryConformance } from "@bailiwick/testing/conformance";
import { expect, test } from "vitest";
import { inMemoryMemories } from "./in-memory-memories.ts";

const rescored = (hits: readonly MemoryHit[], score: (hit: MemoryHit) => number): readonly MemoryHit[] =>
  hits.map((hit) => ({ ...hit, score: score(hit) }));

/** Stores of memories that break one rule each. */
const defects: Readonly<Record<string, (store: MemoryStore) => Partial<MemoryStore>>> = {
  "shows the memories of other users": (store) => ({
    query: async (query) => [
      ...(await store.query(query)),
      ...(await store.query({ ...query, scope: { ...query.scope, userId: "ana" } })),
    ],
  }),
  "shows the memories of other tenants": (store) => ({
    get: async (id, scope) =>
      (await store.get(id, scope)) ?? (await store.get(id, { ...scope, tenantId: "t1", userId: "ana" })),
  }),
  "shares an agent's own memories": (store) => ({
    query: (query) => store.query({ ...query, scope: { ...query.scope, agentId: "desk" } }),
  }),
  "deletes for anyone": (store) => ({
    forget: async (id, scope) => {
      const own = await store.forget(id, scope);
      return own.length > 0 ? own : store.forget(id, { tenantId: "t1", userId: "ana" });
    },
  }),
  "forgets the label": (store) => ({
    query: async (query) =>
      (await store.query(query)).map((hit) => ({
        ...hit,
        entry: { ...hit.entry, label: { integrity: "user" as const, readers: "public" as const } },
      })),
  }),
  "keeps what has no label": (store) => ({
    put: (entry, vector) =>
      store.put({ ...entry, label: entry.label ?? { integrity: "user", readers: "public" } }, vector),
  }),
  "overwrites what it should supersede": (store) => ({
    supersede: async (id, by, vector) => {
      const before = await store.get(id, by.scope);
      if (before === undefined) throw new MemoryNotFoundError(id);
      await store.forget(id, by.scope);
      await store.put(by, vector);
    },
  }),
  "supersedes without ending what was there": (store) => ({
    supersede: async (id, by, vector) => {
      if ((await store.get(id, by.scope)) === undefined) throw new MemoryNotFoundError(id);
      await store.put(by, vector);
    },
  }),
  "tells what is true now, whenever it is asked about": (store) => ({
    query: ({ asOf: _dropped, ...query }) => store.query(query),
  }),
  "knows today what was known then": (store) => ({ query: ({ knownAt: _dropped, ...query }) => store.query(query) }),
  "writes a repeated write again": (store) => ({
    put: async (entry, vector) => {
      await store.forget(entry.id, entry.scope);
      await store.put(entry, vector);
    },
  }),
  "finds by words alone": (store) => ({
    query: (query) => store.query(query.vectors === undefined ? query : { text: "", ...query, vectors: [] }),
  }),
  "finds by meaning alone": (store) => ({ query: (query) => store.query({ ...query, text: "" }) }),
  "adds scores up instead of ranks": (store) => ({
    query: async (query) =>
      rescored(await store.query(query), ({ similarity = 0, lexicalRank = 0 }) => similarity + lexicalRank),
  }),
  "does not let memories fade": (store) => ({
    query: (query) => store.query({ ...query, halfLifeDays: Number.POSITIVE_INFINITY }),
  }),
  "gives as much as there is": (store) => ({ query: (query) => store.query({ ...query, limit: 1_000 }) }),
  "heeds no budget": (store) => ({ query: (query) => store.query({ ...query, budgetTokens: 1_000_000 }) }),
  "compares vectors of different models": (store) => ({
    query: async (query) =>
      store.query({
        ...query,
        vectors: query.vectors?.flatMap(({ values }) => ["v1", "v2", "m"].map((model) => ({ model, values }))),
      }),
  }),
  "keeps what was made of what is forgotten": (store) => ({
    forget: async (id, scope) => {
      const all = (await store.query({ scope, limit: 99, asOf: 1_700_000_000_000 })).map(({ entry }) => entry);
      const gone = await store.forget(id, scope);
      for (const entry of all)
        if (entry.id !== id && gone.includes(entry.id)) {
          const { embedding: _vector, ...rest } = entry;
          await store.put(rest);
        }
      return gone;
    },
  }),
  "keeps a user's other agents": (store) => ({
    forgetAll: async (scope) => {
      const seen = await store.query({ scope, limit: 99 });
      const own = seen.filter(({ entry }) => isInScope(entry, scope) && entry.scope.userId === scope.userId);
      for (const { entry } of own) await store.forget(entry.id, scope);
      return own.length;
    },
  }),
  "says that nothing needs a new vector": () => ({ withoutVector: async () => [] }),
  "gives an entry no new vector": () => ({ setVector: async () => undefined }),
};

for (const [what, defect] of Object.entries(defects)) {
  test(`the exported kit detects a memory store that ${what} [feature:X105]`, async () => {
    const cases = memoryConformance(
      () => {
        const store = inMemoryMemories();
        return { memories: { ...store, ...defect(store) } };
      },
      { runs: 5 },
    );
    const results = await Promise.allSettled(cases.map(({ run }) => run()));
    expect(results.filter(({ status }) => status === "rejected")).not.toHaveLength(0);
  });
}
