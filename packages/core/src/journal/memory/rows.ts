import { isSameOwner } from "../../contracts/owner.ts";
import { isEnded, type StopReason } from "../../contracts/stop-reason.ts";
import { frozenView } from "../../user-code/copies.ts";
import { SessionBusyError } from "../../errors/session-errors.ts";
import { appendedFacts, searchWords } from "../run-facts.ts";
import type { JournalEvent } from "../../contracts/journal-event.ts";
import type { Signal } from "../../contracts/signal.ts";
import type { RunFacts } from "../../contracts/ports/run-search.ts";
import type { Release } from "../../contracts/ports/run-store.ts";
import type { RunRecord, StoredRun } from "../../contracts/ports/stored-run.ts";

/** A run as the memory store keeps it. */
export interface Row {
  record: RunRecord;
  state: StoredRun["state"];
  epoch: number;
  owner: string | undefined;
  expiresAt: number;
  createdAt: number;
  updatedAt: number;
  waitingOn: readonly string[] | undefined;
  dueAt: number | undefined;
  readonly enqueuedAt: number;
  /** Time of the last claim. */
  claimedAt: number | undefined;
  attempts: number;
  settledAt: number | undefined;
  events: JournalEvent[];
  readonly keys: Set<string>;
  /** Waiting signals, by id; most runs never get one. */
  inbox: Map<string, Signal> | undefined;
  /** Ids of signals that the run has taken. */
  taken: Set<string> | undefined;
  /** Hashes of the blobs that its records name. */
  blobs: Set<string> | undefined;
  /** Order of creation, for equal times. */
  readonly order: number;
  /** Facts and words as the last search read them, and the number of records then. */
  searched: (SearchedRow & { readonly upTo: number }) | undefined;
}

/** Facts and words of a run, as a search reads them. */
export interface SearchedRow {
  readonly facts: RunFacts;
  readonly words: string;
}

/** The key of a run among all runs: unique per owner. */
export function idempotencyKeyOf({ tenantId, userId, idempotencyKey }: RunRecord): string | undefined {
  return idempotencyKey === undefined ? undefined : JSON.stringify([tenantId ?? null, userId ?? null, idempotencyKey]);
}

/** The session of a run, with its owner. */
export function sessionKeyOf({ tenantId, userId, sessionId }: RunRecord): string {
  return JSON.stringify([tenantId ?? null, userId ?? null, sessionId]);
}

export function hasSignals({ inbox }: Row): boolean {
  return inbox !== undefined && inbox.size > 0;
}

/**
 * A run does not sleep while a signal waits that arrived after the last read, and does not end while a message is
 * unread.
 */
export function goesOn(row: Row, next: Release): boolean {
  if (next.state === "suspended" || next.state === "sleeping") return hasSignals(row);
  if (next.state !== "completed" || next.unlessSignals === undefined || row.inbox === undefined) return false;
  for (const { name } of row.inbox.values()) if (next.unlessSignals.includes(name)) return true;
  return false;
}

export function headOf(row: Row): StoredRun["head"] {
  return { seq: row.events.length, hash: "" };
}

export function storedRun(row: Row): StoredRun {
  return {
    ...row.record,
    input: frozenView(row.record.input),
    parent: frozenView(row.record.parent),
    state: row.state,
    head: headOf(row),
    epoch: row.epoch,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    waitingOn: row.waitingOn,
    dueAt: row.dueAt,
    enqueuedAt: row.enqueuedAt,
    attempts: row.attempts,
    settledAt: row.settledAt,
  };
}

export const waitingOn = (next: Release): readonly string[] | undefined =>
  next.state === "suspended" ? next.waitingOn : undefined;
export function dueAt(next: Release): number | undefined {
  if (next.state === "sleeping") return next.wakeAt;
  return next.state === "queued" ? next.dueAt : undefined;
}

/** True for states in which a run has a `settledAt`. */
export function isSettled(state: StoredRun["state"]): boolean {
  return state === "suspended" || state === "stuck" || isEnded(state);
}

/** Reads a run for a search: most runs in memory are never searched. */
export function searchedRow(row: Row): SearchedRow {
  const upTo = row.events.length;
  if (row.searched?.upTo !== upTo) {
    const { words, stopReason, ...counts } = appendedFacts(row.events);
    row.searched = {
      upTo,
      facts: { ...counts, stopReason: stopReason as StopReason | undefined },
      words: `${searchWords(row.record.input)}\n${words}`,
    };
  }
  return row.searched;
}

/**
 * Refuses to drive a run while another one of its session is driven.
 *
 * @throws SessionBusyError
 */
export function checkSessionFree(rows: Iterable<Row>, record: RunRecord, now: number): void {
  if (record.inSession !== true) return;
  for (const other of rows) {
    if (isBeside(other, record) && other.state === "running" && other.expiresAt > now)
      throw new SessionBusyError(record.sessionId, record.id);
  }
}

/** True for another run of the same session, if the session's runs are driven one by one. */
export function isBeside({ record }: Row, one: RunRecord): boolean {
  return (
    record.inSession === true && record.id !== one.id && record.sessionId === one.sessionId && isSameOwner(record, one)
  );
}
