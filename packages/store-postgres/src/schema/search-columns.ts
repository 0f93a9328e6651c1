/**
 * Columns that a search reads instead of journals. Runs of earlier formats get their numbers from their records, and
 * are not found by their text. `json` reads only the requested fields: a record may contain a text that `jsonb`
 * refuses.
 */
export function addRunFacts(schema: string): string {
  return `ALTER TABLE ${schema}.runs ADD COLUMN cost_usd double precision;
ALTER TABLE ${schema}.runs ADD COLUMN tokens bigint NOT NULL DEFAULT 0;
ALTER TABLE ${schema}.runs ADD COLUMN model_calls bigint NOT NULL DEFAULT 0;
ALTER TABLE ${schema}.runs ADD COLUMN tool_calls bigint NOT NULL DEFAULT 0;
ALTER TABLE ${schema}.runs ADD COLUMN tools text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE ${schema}.runs ADD COLUMN stop_reason text COLLATE "C";
ALTER TABLE ${schema}.runs ADD COLUMN words text COLLATE "C" NOT NULL DEFAULT '';
UPDATE ${schema}.runs AS runs SET cost_usd = known.cost_usd, tokens = known.tokens, model_calls = known.model_calls,
  tool_calls = known.tool_calls, tools = known.tools, stop_reason = known.stop_reason
FROM (
  SELECT run, sum((record ->> 'costUsd')::double precision) AS cost_usd, coalesce(sum((record -> 'usage' ->> 'totalTokens')::numeric::bigint), 0) AS tokens,
    count(*) FILTER (WHERE record ->> 'type' = 'model.result') AS model_calls, count(*) FILTER (WHERE record ->> 'type' = 'tool.call') AS tool_calls,
    coalesce(chr(10) || string_agg(record ->> 'toolName', chr(10) ORDER BY seq) FILTER (WHERE record ->> 'type' = 'tool.call') || chr(10), '') AS tools,
    max(record ->> 'stopReason') FILTER (WHERE record ->> 'type' = 'run.end') AS stop_reason
  FROM (SELECT run, seq, text::json AS record FROM ${schema}.events) AS records GROUP BY run
) AS known WHERE runs.n = known.run;
CREATE INDEX runs_found ON ${schema}.runs (created_at DESC, n DESC) WHERE parent_run IS NULL;
CREATE INDEX runs_found_by_state ON ${schema}.runs (state, created_at DESC, n DESC) WHERE parent_run IS NULL;`;
}
