/**
 * Claims go round by tenant, then by agent. `turn` is the number of the turn in which a run was claimed last, so the
 * turns of a tenant are known without a row that all claims change; `claimed_at` counts the claims of a minute. The
 * indexes by time have the runs inside calls too: a list of the newest runs reads no others.
 */
export function addTurns(schema: string): string {
  return `ALTER TABLE ${schema}.runs ADD COLUMN turn double precision;
ALTER TABLE ${schema}.runs ADD COLUMN claimed_at double precision;
DROP INDEX ${schema}.runs_queued;
CREATE INDEX runs_queued ON ${schema}.runs (agent_id, tenant, priority DESC, n) WHERE state = 'queued' AND due_at IS NULL AND parent_run IS NULL;
CREATE INDEX runs_by_turn ON ${schema}.runs (agent_id, tenant, turn) WHERE turn IS NOT NULL;
CREATE INDEX runs_by_claim ON ${schema}.runs (tenant, claimed_at) WHERE claimed_at IS NOT NULL;
CREATE INDEX runs_by_agent_and_claim ON ${schema}.runs (agent_id, claimed_at) WHERE claimed_at IS NOT NULL;
DROP INDEX ${schema}.runs_found, ${schema}.runs_found_by_state;
CREATE INDEX runs_found ON ${schema}.runs (created_at DESC, n DESC);
CREATE INDEX runs_found_by_state ON ${schema}.runs (state, created_at DESC, n DESC);`;
}
