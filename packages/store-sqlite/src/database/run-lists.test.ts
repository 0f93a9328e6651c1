import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { migrate } from "./migrations.ts";
import { queueStatements } from "./queue-statements.ts";
import { runLists } from "./run-lists.ts";
import type { Database } from "./database.ts";
import type { ListedRuns } from "../thread/service.ts";

/** A database in memory that notes the statements that are prepared. */
function noting(): { readonly database: Database; readonly plans: (contains: string) => readonly string[] } {
  const sqlite = new DatabaseSync(":memory:");
  migrate(sqlite);
  const texts: string[] = [];
  const database = {
    exec: (text: string) => sqlite.exec(text),
    prepare: (text: string) => {
      texts.push(text);
      return sqlite.prepare(text);
    },
  } as unknown as Database;
  return {
    database,
    plans: (contains) =>
      texts
        .filter((text) => text.includes(contains))
        .flatMap((text) => sqlite.prepare(`EXPLAIN QUERY PLAN ${text}`).all())
        .map(({ detail }) => String(detail)),
  };
}

const every: ListedRuns = {
  sessionId: null,
  agentId: null,
  states: [],
  tenantId: null,
  userId: null,
  allUsers: false,
  allTenants: true,
  settledSince: null,
  settledBefore: null,
  before: null,
  limit: 50,
};

test.each<readonly [string, Partial<ListedRuns>]>([
  ["all tenants", {}],
  ["all tenants before a time", { before: 1 }],
  ["one state", { states: ["suspended"] }],
  ["a tenant", { allTenants: false, allUsers: true, tenantId: "t" }],
  ["an owner", { allTenants: false, tenantId: "t", userId: "u" }],
  ["settled runs", { settledSince: 1 }],
])("a list of %s follows an index and sorts nothing [store.lists]", (_name, filter) => {
  const { database, plans } = noting();
  runLists(database)({ ...every, ...filter });
  const steps = plans("SELECT * FROM runs");
  expect(steps.join("\n")).toMatch(/USING (?:COVERING )?INDEX/u);
  expect(steps.join("\n")).not.toMatch(/TEMP B-TREE/u);
});

test("the depth of the queue and the tenants that wait are read from indexes of open runs [store.lists]", () => {
  const { database, plans } = noting();
  queueStatements(database);
  expect(plans("AS oldest_id").join("\n")).toMatch(/runs_by_state_and_time \(state=/u);
  for (const step of plans("WITH RECURSIVE waiting").filter((one) => /runs/u.test(one)))
    expect(step).toMatch(/USING (?:COVERING )?INDEX runs_queued/u);
  const ready = plans("FROM runs INDEXED BY runs_queued WHERE agent_id = ?1 AND parent IS NULL AND (?2").join("\n");
  expect(ready).toMatch(/runs_queued \(agent_id=\? AND tenant_id=\?\)/u);
  expect(ready).not.toMatch(/TEMP B-TREE/u);
  expect(plans("max(turn)").join("\n")).toMatch(/runs_by_turn/u);
});
