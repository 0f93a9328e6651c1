import { parsePlace, parseTools, printPlace, printTools, searchedWords } from "@bailiwick/core/store";
import type { FoundRun, RunCounts, RunFacts, RunSearch, RunStore } from "@bailiwick/core/store";
import type { Database } from "../connection/database.ts";
import { toColumn, toTenant } from "../connection/names.ts";
import { number, optionalNumber, text, type Row } from "../connection/statements.ts";
import type { Tables } from "../schema/tables.ts";
import { toStoredRun } from "./run-rows.ts";

/** Searching and counting runs. */
export function searchOf(database: Database, { runs }: Tables): Pick<RunStore, "searchRuns" | "countRuns"> {
  return {
    async searchRuns(search) {
      const { limit = 50 } = search;
      const { conditions, values } = conditionsOf(search);
      const newest = `ORDER BY created_at DESC, n DESC LIMIT $${values.push(limit + 1)}`;
      const found = `SELECT * FROM ${runs} WHERE ${conditions.join(" AND ")}`;
      // PostgreSQL would sort all runs of several states: a page of each state is read in the order of the index instead.
      const text =
        search.states === undefined
          ? `${found} ${newest}`
          : `SELECT found.* FROM unnest($${values.push([...new Set(search.states)])}::text[]) AS wanted (wanted_state)
             CROSS JOIN LATERAL (${found} AND state = wanted_state COLLATE "C" ${newest}) AS found ${newest}`;
      const rows = await database.read(text, values);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        runs: page.map(toFoundRun),
        ...(last !== undefined &&
          rows.length > limit && {
            next: printPlace({ createdAt: number(last, "created_at"), order: number(last, "n") }),
          }),
      };
    },
    async countRuns({ tenantId, allTenants }) {
      const all = allTenants === true;
      const rows = await database.read(
        `SELECT state, count(*) AS runs FROM ${runs} WHERE parent_run IS NULL${all ? "" : " AND tenant = $1"} GROUP BY state`,
        all ? [] : [toTenant(tenantId)],
      );
      return Object.fromEntries(rows.map((row) => [text(row, "state"), number(row, "runs")])) as RunCounts;
    },
  };
}

function conditionsOf(search: RunSearch): {
  readonly conditions: readonly string[];
  readonly values: unknown[];
} {
  const conditions: string[] = [];
  const values: unknown[] = [];
  /** `?` is the placeholder of the next value. */
  const where = (condition: string, ...given: readonly unknown[]): void => {
    let used = 0;
    conditions.push(condition.replaceAll("?", () => `$${values.length + ++used}`));
    values.push(...given);
  };
  if (search.insideRunId === undefined) where("parent_run IS NULL");
  else where("parent_run = ?", toColumn(search.insideRunId));
  if (search.allTenants !== true) where("tenant = ?", toTenant(search.tenantId));
  if (search.userId !== undefined) where("user_id = ?", toColumn(search.userId));
  if (search.agentId !== undefined) where("agent_id = ?", toColumn(search.agentId));
  if (search.sessionId !== undefined) where("session_id = ?", toColumn(search.sessionId));
  if (search.tool !== undefined) where("position(?::text IN tools) > 0", printTools([search.tool]));
  for (const word of searchedWords(search.text)) where("position(?::text IN words) > 0", word);
  if (search.leastCostUsd !== undefined) where("cost_usd >= ?", search.leastCostUsd);
  if (search.createdFrom !== undefined) where("created_at >= ?", search.createdFrom);
  if (search.createdBefore !== undefined) where("created_at < ?", search.createdBefore);
  if (search.after !== undefined) {
    const { createdAt, order } = parsePlace(search.after);
    where("(created_at, n) < (?::double precision, ?::bigint)", createdAt, order);
  }
  return { conditions, values };
}

function toFoundRun(row: Row): FoundRun {
  const facts: RunFacts = {
    costUsd: optionalNumber(row, "cost_usd"),
    tokens: number(row, "tokens"),
    modelCalls: number(row, "model_calls"),
    toolCalls: number(row, "tool_calls"),
    tools: parseTools(text(row, "tools")),
    stopReason: (row["stop_reason"] ?? undefined) as RunFacts["stopReason"],
  };
  return { run: toStoredRun(row), facts };
}
