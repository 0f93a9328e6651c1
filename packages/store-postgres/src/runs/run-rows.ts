import { searchWords } from "@bailiwick/core/store";
import type { Lease, RunRecord, StoredRun } from "@bailiwick/core/store";
import { fromColumn, fromTenant, optionalName, toColumn, toTenant } from "../connection/names.ts";
import { number, optionalNumber, text } from "../connection/statements.ts";
import type { Row } from "../connection/statements.ts";
import { fromText, toText } from "../plain-text.ts";

/** Columns of a new run, in the order of its statement. */
export function runColumns(record: RunRecord): unknown[] {
  return [
    toColumn(record.id),
    toColumn(record.agentId),
    toColumn(record.definitionHash),
    toColumn(record.sessionId),
    toTenant(record.tenantId),
    optionalColumn(record.userId),
    record.parent === undefined ? null : JSON.stringify(record.parent),
    optionalColumn(record.parent?.runId),
    toText(record.input ?? null),
    record.deadlineAt ?? null,
    optionalColumn(record.idempotencyKey),
    record.dueAt ?? null,
    record.priority ?? 0,
    record.inSession === true,
    searchWords(record.input),
  ];
}

export function toStoredRun(row: Row): StoredRun {
  const { parent, waiting_on: waitingOn } = row;
  return {
    id: fromColumn(text(row, "id")),
    agentId: fromColumn(text(row, "agent_id")),
    definitionHash: fromColumn(text(row, "definition_hash")),
    sessionId: fromColumn(text(row, "session_id")),
    tenantId: fromTenant(text(row, "tenant")),
    userId: optionalName(row["user_id"]),
    parent: typeof parent === "string" ? (JSON.parse(parent) as StoredRun["parent"]) : undefined,
    input: fromText<unknown>(text(row, "input")),
    deadlineAt: optionalNumber(row, "deadline_at"),
    idempotencyKey: optionalName(row["idempotency_key"]),
    state: text(row, "state") as StoredRun["state"],
    head: { seq: number(row, "head_seq"), hash: text(row, "head_hash") },
    epoch: number(row, "epoch"),
    createdAt: number(row, "created_at"),
    updatedAt: number(row, "updated_at"),
    waitingOn: typeof waitingOn === "string" ? (JSON.parse(waitingOn) as string[]) : undefined,
    dueAt: optionalNumber(row, "due_at"),
    enqueuedAt: number(row, "enqueued_at"),
    priority: number(row, "priority"),
    inSession: row["session_order"] !== null,
    attempts: number(row, "attempts"),
    settledAt: optionalNumber(row, "settled_at"),
  };
}

/** The lease in a row. */
export function toLease(row: Row, runId: string, owner: string): Lease {
  return {
    runId,
    owner,
    epoch: number(row, "epoch"),
    head: { seq: number(row, "head_seq"), hash: text(row, "head_hash") },
    expiresAt: number(row, "expires_at"),
  };
}

const optionalColumn = (name: string | undefined): string | null => (name === undefined ? null : toColumn(name));
