import { readPlain, writePlain } from "@bailiwick/core";
import type { RunRecord, StoredRun } from "@bailiwick/core";

/** The columns of a new run, in the order of its statement. */
export function recordColumns(record: RunRecord): (string | number | null)[] {
  return [
    record.id,
    record.agentId,
    record.definitionHash,
    record.sessionId,
    record.tenantId ?? null,
    record.userId ?? null,
    record.parent === undefined ? null : JSON.stringify(record.parent),
    JSON.stringify(writePlain(record.input ?? null)),
    record.deadlineAt ?? null,
    record.idempotencyKey ?? null,
  ];
}

/** A row of the runs. */
export function toStoredRun(row: Record<string, unknown>): StoredRun {
  return {
    id: row["id"] as string,
    agentId: row["agent_id"] as string,
    definitionHash: row["definition_hash"] as string,
    sessionId: row["session_id"] as string,
    tenantId: optional<string>(row["tenant_id"]),
    userId: optional<string>(row["user_id"]),
    parent: row["parent"] === null ? undefined : (JSON.parse(row["parent"] as string) as StoredRun["parent"]),
    input: readPlain(JSON.parse(row["input"] as string)) as unknown,
    deadlineAt: optional<number>(row["deadline_at"]),
    idempotencyKey: optional<string>(row["idempotency_key"]),
    state: row["state"] as StoredRun["state"],
    head: { seq: row["head_seq"] as number, hash: row["head_hash"] as string },
    epoch: row["epoch"] as number,
    createdAt: row["created_at"] as number,
    updatedAt: row["updated_at"] as number,
    waitingOn: row["waiting_on"] === null ? undefined : (JSON.parse(row["waiting_on"] as string) as string[]),
    wakeAt: optional<number>(row["wake_at"]),
    attempts: row["attempts"] as number,
  };
}

function optional<T>(value: unknown): T | undefined {
  return value === null ? undefined : (value as T);
}
