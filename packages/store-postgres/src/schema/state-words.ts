/**
 * Stored runs get the state names of outputs: `ready` becomes `queued`, `waiting` becomes `suspended`, and `done`
 * becomes the status with which the run ended. The indexes of the queue name states, so they are made again.
 */
export function addStateWords(schema: string): string {
  return `DROP INDEX ${schema}.runs_ready, ${schema}.runs_by_due, ${schema}.runs_by_session_order;
UPDATE ${schema}.runs SET state = CASE state
  WHEN 'ready' THEN 'queued'
  WHEN 'waiting' THEN 'suspended'
  ELSE CASE
    WHEN stop_reason IS NULL OR stop_reason IN ('completed', 'stopped_by_tool') THEN 'completed'
    WHEN stop_reason IN ('cancelled', 'aborted') THEN 'cancelled'
    ELSE 'stopped'
  END
END WHERE state IN ('ready', 'waiting', 'done');
CREATE INDEX runs_queued ON ${schema}.runs (agent_id, priority DESC, n) WHERE state = 'queued' AND due_at IS NULL AND parent_run IS NULL;
CREATE INDEX runs_by_due ON ${schema}.runs (agent_id, due_at) WHERE state IN ('queued', 'sleeping') AND due_at IS NOT NULL AND parent_run IS NULL;
CREATE INDEX runs_by_session_order ON ${schema}.runs (tenant, session_id, session_order) WHERE session_order IS NOT NULL AND state IN ('queued', 'running');`;
}
