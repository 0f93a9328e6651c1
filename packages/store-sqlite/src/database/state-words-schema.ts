import type { Database } from "./database.ts";

/**
 * Stored runs get the state names of outputs: `ready` becomes `queued`, `waiting` becomes `suspended`, and `done`
 * becomes the status with which the run ended. The indexes of the queue name states, so they are made again.
 */
export function addStateWords(database: Database): void {
  database.exec(`
    DROP INDEX runs_ready;
    DROP INDEX runs_by_due;
    DROP INDEX runs_by_session_order;
    UPDATE runs SET state = CASE state
      WHEN 'ready' THEN 'queued'
      WHEN 'waiting' THEN 'suspended'
      ELSE CASE
        WHEN stop_reason IS NULL OR stop_reason IN ('completed', 'stopped_by_tool') THEN 'completed'
        WHEN stop_reason IN ('cancelled', 'aborted') THEN 'cancelled'
        ELSE 'stopped'
      END
    END WHERE state IN ('ready', 'waiting', 'done');
    CREATE INDEX runs_queued ON runs (agent_id, priority DESC, n) WHERE state = 'queued' AND due_at IS NULL AND parent IS NULL;
    CREATE INDEX runs_by_due ON runs (agent_id, due_at) WHERE state IN ('queued', 'sleeping') AND due_at IS NOT NULL AND parent IS NULL;
    CREATE INDEX runs_by_session_order ON runs (session_id, session_order)
      WHERE session_order IS NOT NULL AND state IN ('queued', 'running');
  `);
}
