import type { DatabaseService, FoundRow, SearchColumns } from "../thread/service.ts";
import type { Database, SqlInput } from "./database.ts";
import type { GroupCommit } from "./group-commit.ts";
import { toRunRow } from "./run-columns.ts";

/** Searching and counting runs. */
export function searchCalls(
  database: Database,
  commits: GroupCommit,
): Pick<DatabaseService, "searchRuns" | "countRuns"> {
  return {
    searchRuns: (search) =>
      commits.read(() => {
        const { sql, values } = searchSql(search);
        return database
          .prepare(sql)
          .all(...values)
          .map(toFoundRow);
      }),
    countRuns: (tenantId, allTenants) =>
      commits.read(() => {
        const condition = allTenants ? "" : " AND tenant_id IS ?";
        const rows = database
          .prepare(`SELECT state, count(*) AS runs FROM runs WHERE parent IS NULL${condition} GROUP BY state`)
          .all(...(allTenants ? [] : [tenantId]));
        return rows.map((row) => [row["state"] as string, row["runs"] as number] as const);
      }),
  };
}

/** Adds only the conditions of the search to the statement, so that the planner uses the matching index. */
export function searchSql(search: SearchColumns): { readonly sql: string; readonly values: readonly SqlInput[] } {
  const conditions: string[] = [];
  const values: SqlInput[] = [];
  const where = (condition: string, ...given: readonly SqlInput[]): void => {
    conditions.push(condition);
    values.push(...given);
  };
  if (search.insideRunId === null) where("parent IS NULL");
  else where("parent IS NOT NULL AND json_extract(parent, '$.runId') = ?", search.insideRunId);
  if (!search.allTenants) where("tenant_id IS ?", search.tenantId);
  if (search.userId !== null) where("user_id = ?", search.userId);
  if (search.agentId !== null) where("agent_id = ?", search.agentId);
  if (search.sessionId !== null) where("session_id = ?", search.sessionId);
  if (search.states !== null) where(`state IN (${search.states.map(() => "?").join(", ")})`, ...search.states);
  if (search.tool !== null) where("instr(tools, ?) > 0", search.tool);
  for (const word of search.words) where("instr(words, ?) > 0", word);
  if (search.leastCostUsd !== null) where("cost_usd >= ?", search.leastCostUsd);
  if (search.createdFrom !== null) where("created_at >= ?", search.createdFrom);
  if (search.createdBefore !== null) where("created_at < ?", search.createdBefore);
  if (search.after !== null) where("(created_at, n) < (?, ?)", ...search.after);
  return {
    sql: `SELECT * FROM runs WHERE ${conditions.join(" AND ")} ORDER BY created_at DESC, n DESC LIMIT ?`,
    values: [...values, search.limit],
  };
}

function toFoundRow(row: Record<string, unknown>): FoundRow {
  return {
    run: toRunRow(row),
    order: row["n"] as number,
    costUsd: row["cost_usd"] as number | null,
    tokens: row["tokens"] as number,
    modelCalls: row["model_calls"] as number,
    toolCalls: row["tool_calls"] as number,
    tools: row["tools"] as string,
    stopReason: row["stop_reason"] as string | null,
  };
}
