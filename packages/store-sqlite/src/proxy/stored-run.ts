import { searchWords } from "@bailiwick/core/store";
import type { RunRecord, StoredRun } from "@bailiwick/core/store";
import type { RunColumns, RunRow } from "../thread/service.ts";
import { fromText, toText } from "./plain-text.ts";

export function toRunColumns(record: RunRecord): RunColumns {
  return {
    id: record.id,
    agentId: record.agentId,
    definitionHash: record.definitionHash,
    sessionId: record.sessionId,
    tenantId: record.tenantId ?? null,
    userId: record.userId ?? null,
    parent: record.parent === undefined ? null : JSON.stringify(record.parent),
    input: toText(record.input ?? null),
    deadlineAt: record.deadlineAt ?? null,
    idempotencyKey: record.idempotencyKey ?? null,
    dueAt: record.dueAt ?? null,
    priority: record.priority ?? 0,
    inSession: record.inSession === true,
    words: searchWords(record.input),
  };
}

export function toStoredRun(row: RunRow): StoredRun {
  return {
    id: row.id,
    agentId: row.agentId,
    definitionHash: row.definitionHash,
    sessionId: row.sessionId,
    tenantId: row.tenantId ?? undefined,
    userId: row.userId ?? undefined,
    parent: row.parent === null ? undefined : (JSON.parse(row.parent) as StoredRun["parent"]),
    input: fromText<unknown>(row.input),
    deadlineAt: row.deadlineAt ?? undefined,
    idempotencyKey: row.idempotencyKey ?? undefined,
    state: row.state as StoredRun["state"],
    head: { seq: row.seq, hash: row.hash },
    epoch: row.epoch,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    waitingOn: row.waitingOn === null ? undefined : (JSON.parse(row.waitingOn) as string[]),
    dueAt: row.dueAt ?? undefined,
    enqueuedAt: row.enqueuedAt,
    priority: row.priority,
    inSession: row.inSession,
    attempts: row.attempts,
    settledAt: row.settledAt ?? undefined,
  };
}
