import type { Database } from "./database.ts";

/**
 * Columns that a search reads instead of journals. Runs of earlier formats get their numbers from their records, and are
 * not found by their text. Both indexes serve the order of a page; the second one also counts the states.
 */
export function addRunFacts(database: Database): void {
  database.exec(`
    ALTER TABLE runs ADD COLUMN cost_usd REAL;
    ALTER TABLE runs ADD COLUMN tokens INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE runs ADD COLUMN model_calls INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE runs ADD COLUMN tool_calls INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE runs ADD COLUMN tools TEXT NOT NULL DEFAULT '';
    ALTER TABLE runs ADD COLUMN stop_reason TEXT;
    ALTER TABLE runs ADD COLUMN words TEXT NOT NULL DEFAULT '';
    UPDATE runs SET (cost_usd, tokens, model_calls, tool_calls, tools, stop_reason) = (
      SELECT sum(json_extract(text, '$.costUsd')), ifnull(sum(json_extract(text, '$.usage.totalTokens')), 0),
        ifnull(sum(json_extract(text, '$.type') = 'model.result'), 0), ifnull(sum(json_extract(text, '$.type') = 'tool.call'), 0),
        ifnull(char(10) || group_concat(CASE json_extract(text, '$.type') WHEN 'tool.call' THEN json_extract(text, '$.toolName') END, char(10)) || char(10), ''),
        max(CASE json_extract(text, '$.type') WHEN 'run.end' THEN json_extract(text, '$.stopReason') END)
      FROM events WHERE run = runs.n
    ) WHERE head_seq > 0;
    DROP INDEX runs_by_state;
    CREATE INDEX runs_by_time ON runs (created_at DESC, n DESC) WHERE parent IS NULL;
    CREATE INDEX runs_by_state_and_time ON runs (state, created_at DESC, n DESC) WHERE parent IS NULL;
  `);
}

/** A viewer of one tenant pages through its runs: without this index, SQLite would sort all of them for each page. */
export function addTenantTimes(database: Database): void {
  database.exec(
    "CREATE INDEX runs_by_tenant_and_time ON runs (tenant_id, created_at DESC, n DESC) WHERE parent IS NULL",
  );
}
