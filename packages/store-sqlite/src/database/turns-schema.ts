import type { Database } from "./database.ts";

/**
 * Claims go round by tenant, then by agent. `turn` is the number of the turn in which a run was claimed last, so the
 * turns of a tenant are known without a row that all claims change; `claimed_at` counts the claims of a minute. The
 * indexes by time have the runs inside calls too: a list of the newest runs reads no others.
 */
export function addTurns(database: Database): void {
  database.exec(`
    ALTER TABLE runs ADD COLUMN turn REAL;
    ALTER TABLE runs ADD COLUMN claimed_at INTEGER;
    DROP INDEX runs_queued;
    CREATE INDEX runs_queued ON runs (agent_id, tenant_id, priority DESC, n)
      WHERE state = 'queued' AND due_at IS NULL AND parent IS NULL;
    CREATE INDEX runs_by_turn ON runs (agent_id, tenant_id, turn) WHERE turn IS NOT NULL;
    CREATE INDEX runs_by_claim ON runs (tenant_id, claimed_at) WHERE claimed_at IS NOT NULL;
    CREATE INDEX runs_by_agent_and_claim ON runs (agent_id, claimed_at) WHERE claimed_at IS NOT NULL;
    DROP INDEX runs_by_time;
    DROP INDEX runs_by_state_and_time;
    DROP INDEX runs_by_tenant_and_time;
    CREATE INDEX runs_by_time ON runs (created_at DESC, n DESC);
    CREATE INDEX runs_by_state_and_time ON runs (state, created_at DESC, n DESC);
    CREATE INDEX runs_by_tenant_and_time ON runs (tenant_id, created_at DESC, n DESC);
  `);
}
