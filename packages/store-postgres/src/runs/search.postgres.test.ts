import type { RunSearch } from "@bailiwick/core";
import { Pool } from "pg";
import { expect, test } from "vitest";
import { postgresStore } from "../index.ts";
import { statement, temporarySchema, testUrl } from "../temporary-schema.fixture.ts";

const limit = 10;
/** A page, and the run that shows that another page follows. */
const page = limit + 1;
const total = 4_000;

/** Searches for a page, with the maximum number of runs that PostgreSQL reads for it. */
const searches: readonly (readonly [name: string, search: RunSearch, most: number])[] = [
  ["all runs", { allTenants: true }, page],
  ["one state", { allTenants: true, states: ["failed"] }, page],
  ["a state without runs", { allTenants: true, states: ["stuck"] }, 0],
  ["several states", { allTenants: true, states: ["completed", "stopped", "failed"] }, 2 * page],
  ["several states, one of them twice", { allTenants: true, states: ["failed", "suspended", "failed"] }, 2 * page],
  // PostgreSQL may read the newest runs of all tenants if most of them fit.
  ["one tenant", { tenantId: "tenant-1" }, 2 * page],
  ["no tenant", {}, 2 * page],
  ["one user of one tenant", { tenantId: "tenant-1", userId: "user-1" }, 2 * page],
];

interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** A pool that records the statements sent through it. */
function recordingPool(): { readonly pool: Pool; readonly sent: Statement[] } {
  const pool = new Pool({ connectionString: testUrl, max: 2 });
  const sent: Statement[] = [];
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    Object.assign(client, {
      query: (...args: unknown[]) => {
        const [first] = args as [Statement | string];
        if (typeof first === "object") sent.push(first);
        return query(...args);
      },
    });
  });
  return { pool, sent };
}

interface PlanNode {
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Number of runs that a plan read from the table, including those that a condition excluded. */
function runsRead(node: PlanNode): number {
  const own =
    node["Relation Name"] === "runs"
      ? (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"]
      : 0;
  return (node.Plans ?? []).reduce((sum, inner) => sum + runsRead(inner), own);
}

test("PostgreSQL reads as many runs as a page shows, not all matching ones [store.search]", async () => {
  await using place = temporarySchema();
  const { pool, sent } = recordingPool();
  const store = postgresStore({ pool, schema: place.schema, notifications: "poll" });
  try {
    await store.create({ id: "pattern", agentId: "a", definitionHash: "d", sessionId: "s", input: "Hello." });
    const table = `"${place.schema}".runs`;
    const own = ["n", "id", "created_at", "state", "tenant", "user_id"];
    const [columns] = await statement(
      `SELECT string_agg(quote_ident(column_name), ', ') AS names FROM information_schema.columns
       WHERE table_schema = $1 AND table_name = 'runs' AND column_name <> ALL ($2)`,
      [place.schema, own],
    );
    const names = String(columns?.["names"]);
    await store.create({
      id: "of-tenant",
      agentId: "a",
      definitionHash: "d",
      sessionId: "s",
      tenantId: "tenant-1",
      input: "",
    });
    await statement(
      `INSERT INTO ${table} (id, created_at, state, tenant, user_id, ${names})
       SELECT 'run-' || i, i, CASE i % 20 WHEN 0 THEN 'failed' WHEN 1 THEN 'suspended' ELSE 'completed' END,
         (SELECT tenant FROM ${table} WHERE id = CASE WHEN i % 20 > 17 THEN 'of-tenant' ELSE 'pattern' END),
         'user-' || i % 2, ${names} FROM ${table}, generate_series(1, ${total}) AS i WHERE id = 'pattern'`,
    );
    await statement(`DELETE FROM ${table} WHERE id IN ('pattern', 'of-tenant')`);
    await statement(`ANALYZE ${table}`);
    for (const [name, search, most] of searches) {
      sent.length = 0;
      const { runs } = await store.searchRuns({ ...search, limit });
      expect(runs.length, name).toBe(most === 0 ? 0 : limit);
      const [list] = sent.filter(({ text }) => text.includes(table));
      if (list === undefined) throw new Error(`No statement reads the runs of "${name}".`);
      const [row] = await statement(`EXPLAIN (ANALYZE, FORMAT JSON) ${list.text}`, list.values);
      const [explained] = (row?.["QUERY PLAN"] ?? []) as readonly { readonly Plan: PlanNode }[];
      if (explained === undefined) throw new Error(`PostgreSQL does not explain "${name}".`);
      const { Plan: plan } = explained;
      expect(runsRead(plan), name).toBeLessThanOrEqual(most);
      expect(runsRead(plan), name).toBeGreaterThanOrEqual(runs.length);
    }
  } finally {
    await store.close();
    await pool.end();
  }
});
