import type { ListedRuns } from "../thread/service.ts";
import type { Database, SqlInput, SqlRow, Statement } from "./database.ts";

/**
 * Lists runs. Each combination of conditions is a separate statement, so that SQLite chooses an index for it.
 *
 * @returns a function that reads the rows of a filter.
 */
export function runLists(database: Database): (filter: ListedRuns) => readonly SqlRow[] {
  const statements = new Map<string, Statement>();
  return (filter) => {
    const { text, values } = listOf(filter);
    const statement = statements.get(text) ?? database.prepare(text);
    statements.set(text, statement);
    return statement.all(...values);
  };
}

function listOf(filter: ListedRuns): { readonly text: string; readonly values: readonly SqlInput[] } {
  const { allTenants, allUsers, states, settledSince, settledBefore } = filter;
  const conditions: string[] = [];
  const values: SqlInput[] = [];
  const where = (condition: string, value: SqlInput): void => {
    values.push(value);
    conditions.push(`${condition} ?${values.length}`);
  };
  if (!allTenants) where("tenant_id IS", filter.tenantId);
  if (!allTenants && !allUsers) where("user_id IS", filter.userId);
  for (const [condition, value] of [
    ["session_id =", filter.sessionId],
    ["agent_id =", filter.agentId],
    ["created_at <", filter.before],
    ["settled_at >=", settledSince],
    ["settled_at <", settledBefore],
  ] as const) {
    if (value !== null) where(condition, value);
  }
  if (states.length > 0) {
    const places = states.map((state) => `?${values.push(state)}`);
    conditions.push(`state IN (${places.join(", ")})`);
  }
  const bySettling = settledSince !== null || settledBefore !== null;
  if (bySettling) conditions.push("parent IS NULL", "settled_at IS NOT NULL");
  const order = bySettling ? "settled_at, n" : "created_at DESC, n DESC";
  const last = values.push(filter.limit);
  const filtered = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  return { text: `SELECT * FROM runs ${filtered} ORDER BY ${order} LIMIT ?${last}`, values };
}
