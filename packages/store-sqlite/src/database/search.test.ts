import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { StoredRunState } from "@bailiwick/core";
import { expect, test } from "vitest";
import { sqliteStore } from "../sqlite-store.ts";
import type { SearchColumns } from "../thread/service.ts";
import { searchSql } from "./search.ts";

const limit = 10;
const total = 400;
/** State of a run: few runs fail or wait. */
const stateOf = (index: number) => (["failed", "suspended"] as const)[index % 20] ?? "completed";
const all: SearchColumns = {
  insideRunId: null,
  allTenants: true,
  tenantId: null,
  userId: null,
  agentId: null,
  sessionId: null,
  states: null,
  tool: null,
  words: [],
  leastCostUsd: null,
  createdFrom: null,
  createdBefore: null,
  after: null,
  limit,
};

/** Searches for a page, with the maximum number of runs that it needs. */
const searches: readonly (readonly [name: string, search: Partial<SearchColumns>, most: number])[] = [
  ["all runs", {}, limit],
  ["one state", { states: ["failed"] }, limit],
  ["a state without runs", { states: ["stuck"] }, 0],
  ["several states", { states: ["completed", "stopped", "cancelled"] }, 3 * limit],
  ["several states, one of them twice", { states: ["failed", "suspended", "failed"] }, 3 * limit],
  ["one user", { allTenants: false, userId: "user-1" }, limit],
  ["one tenant", { allTenants: false, tenantId: "tenant-1" }, limit],
  ["no tenant", { allTenants: false }, limit],
  ["one user of one tenant", { allTenants: false, tenantId: "tenant-1", userId: "user-1" }, limit],
];

test("a page of runs is found by reading as many runs as it shows, not all matching ones [store.search]", async () => {
  const folder = mkdtempSync(join(tmpdir(), "search-"));
  const path = join(folder, "runs.db");
  const store = sqliteStore({ path });
  const storeRun = async (index: number): Promise<void> => {
    const id = `run-${index}`;
    const run = {
      id,
      agentId: "a",
      definitionHash: "d",
      sessionId: "s",
      userId: `user-${index % 2}`,
      ...(index % 4 > 1 && { tenantId: "tenant-1" }),
      input: "Hello.",
    };
    const { lease } = await store.create(run, { owner: "writer", ttlMs: 600_000 });
    const state = stateOf(index);
    if (lease === undefined) throw new Error(`${id} was not created.`);
    await store.release(lease, state === "suspended" ? { state, waitingOn: ["q"] } : { state });
  };
  await Promise.all(Array.from({ length: total }, (_, index) => storeRun(index)));
  const expected = async (search: (typeof searches)[number][1]): Promise<readonly string[]> => {
    const { states: wanted, userId, tenantId } = search;
    const { runs } = await store.searchRuns({
      limit,
      ...(search.allTenants === false ? {} : { allTenants: true }),
      ...(userId !== undefined && userId !== null && { userId }),
      ...(tenantId !== undefined && tenantId !== null && { tenantId }),
      ...(wanted !== undefined && wanted !== null && { states: wanted as readonly StoredRunState[] }),
    });
    return runs.map(({ run }) => run.id);
  };
  const database = new DatabaseSync(path);
  let read = 0;
  database.function("seen", { deterministic: false, directOnly: false }, () => {
    read += 1;
    return 1;
  });
  try {
    for (const [name, search, most] of searches) {
      const { sql, values } = searchSql({ ...all, ...search });
      // Each run that the statement reads is counted.
      const counting = database.prepare(sql.replaceAll("WHERE ", "WHERE seen() AND "));
      read = 0;
      const found = counting.all(...(values as (string | number)[]));
      expect(read, name).toBeLessThanOrEqual(most);
      expect(read, name).toBeGreaterThanOrEqual(found.length);
      expect(
        found.map((row) => row["id"]),
        name,
      ).toEqual(await expected(search));
      expect(found.length, name).toBe(most === 0 ? 0 : limit);
    }
  } finally {
    database.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
