import type { RunColumns, RunRow } from "../thread/service.ts";

/** The columns of a new run, in the order of its statement. */
export function runColumns(run: RunColumns): (string | number | null)[] {
  return [
    run.id,
    run.agentId,
    run.definitionHash,
    run.sessionId,
    run.tenantId,
    run.userId,
    run.parent,
    run.input,
    run.deadlineAt,
    run.idempotencyKey,
    run.dueAt,
    run.priority,
    run.inSession ? 1 : 0,
    run.words,
  ];
}

/** A row of the runs. */
export function toRunRow(row: Record<string, unknown>): RunRow {
  return {
    id: row["id"] as string,
    agentId: row["agent_id"] as string,
    definitionHash: row["definition_hash"] as string,
    sessionId: row["session_id"] as string,
    tenantId: row["tenant_id"] as string | null,
    userId: row["user_id"] as string | null,
    parent: row["parent"] as string | null,
    input: row["input"] as string,
    deadlineAt: row["deadline_at"] as number | null,
    idempotencyKey: row["idempotency_key"] as string | null,
    state: row["state"] as string,
    seq: row["head_seq"] as number,
    hash: row["head_hash"] as string,
    epoch: row["epoch"] as number,
    createdAt: row["created_at"] as number,
    updatedAt: row["updated_at"] as number,
    waitingOn: row["waiting_on"] as string | null,
    dueAt: row["due_at"] as number | null,
    enqueuedAt: row["enqueued_at"] as number,
    priority: row["priority"] as number,
    inSession: row["session_order"] !== null,
    attempts: row["attempts"] as number,
    settledAt: row["settled_at"] as number | null,
  };
}
