import { isEnded } from "../contracts/stop-reason.ts";
import { frozenView } from "../user-code/copies.ts";
import type { JournalEvent } from "../contracts/journal-event.ts";
import type { Signal } from "../contracts/signal.ts";
import type { RunFacts, FoundRuns, RunCounts, RunSearch } from "../contracts/ports/run-search.ts";
import type { Release, RunFilter } from "../contracts/ports/run-store.ts";
import type { RunRecord, StoredRun } from "../contracts/ports/stored-run.ts";
import type { StopReason } from "../contracts/stop-reason.ts";
import { appendedFacts, parsePlace, printPlace, searchedWords } from "./run-facts.ts";

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
  attempts: number;
  settledAt: number | undefined;
  events: JournalEvent[];
  readonly keys: Set<string>;
  /** Signals that wait, by id; most runs never get one. */
  inbox: Map<string, Signal> | undefined;
  /** Ids of signals that it took. */
  taken: Set<string> | undefined;
  /** Hashes of the blobs that its records name. */
  blobs: Set<string> | undefined;
  /** Order of creation, where times are equal. */
  readonly order: number;
  facts: RunFacts;
  /** Words that a search reads. */
  words: string;
}

/** The key of a run among all runs: unique per owner. */
export function idempotencyKeyOf({ tenantId, userId, idempotencyKey }: RunRecord): string | undefined {
  return idempotencyKey === undefined ? undefined : JSON.stringify([tenantId ?? null, userId ?? null, idempotencyKey]);
}

export function hasSignals({ inbox }: Row): boolean {
  return inbox !== undefined && inbox.size > 0;
}

/** A signal that came after the last look is not slept through, nor a message that the end would leave unread. */
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

export function matches(row: Row, filter: RunFilter): boolean {
  const { record, state, createdAt } = row;
  return (
    isOwned(record, filter) &&
    settledWithin(row, filter) &&
    (filter.sessionId === undefined || record.sessionId === filter.sessionId) &&
    (filter.agentId === undefined || record.agentId === filter.agentId) &&
    (filter.state === undefined || [filter.state].flat().includes(state)) &&
    (filter.before === undefined || createdAt < filter.before)
  );
}

function isOwned({ tenantId, userId }: RunRecord, filter: RunFilter): boolean {
  if (filter.allTenants === true) return true;
  return tenantId === filter.tenantId && (filter.allUsers === true || userId === filter.userId);
}

/** Runs inside tool calls are never listed by the time when they settled. */
function settledWithin({ record, settledAt }: Row, { settledSince, settledBefore }: RunFilter): boolean {
  if (settledSince === undefined && settledBefore === undefined) return true;
  if (settledAt === undefined || record.parent !== undefined) return false;
  return settledAt >= (settledSince ?? settledAt) && (settledBefore === undefined || settledAt < settledBefore);
}

function createdWithin({ createdAt }: Row, { createdFrom, createdBefore }: RunSearch): boolean {
  return (
    (createdFrom === undefined || createdAt >= createdFrom) &&
    (createdBefore === undefined || createdAt < createdBefore)
  );
}

function newestFirst(rows: Row[]): Row[] {
  return rows.sort((a, b) => b.createdAt - a.createdAt || b.order - a.order);
}

/** Sorts a list: the newest run first, or the run that settled first. */
export function inListOrder(rows: Row[], { settledSince, settledBefore }: RunFilter): Row[] {
  if (settledSince === undefined && settledBefore === undefined) return newestFirst(rows);
  return rows.sort((a, b) => (a.settledAt ?? 0) - (b.settledAt ?? 0) || a.order - b.order);
}

/** True for states in which a run has a `settledAt`. */
export function isSettled(state: StoredRun["state"]): boolean {
  return state === "suspended" || state === "stuck" || isEnded(state);
}

/** Adds to a run's facts what was appended. */
export function addFacts(row: Row, events: readonly JournalEvent[]): void {
  const added = appendedFacts(events);
  const { facts } = row;
  row.facts = {
    costUsd: added.costUsd === undefined ? facts.costUsd : (facts.costUsd ?? 0) + added.costUsd,
    tokens: facts.tokens + added.tokens,
    modelCalls: facts.modelCalls + added.modelCalls,
    toolCalls: facts.toolCalls + added.toolCalls,
    tools: added.tools.length === 0 ? facts.tools : [...new Set([...facts.tools, ...added.tools])],
    stopReason: (added.stopReason as StopReason | undefined) ?? facts.stopReason,
  };
  if (added.words !== "") row.words += `\n${added.words}`;
}

/** One page of the rows that a search finds. */
export function searchRows(rows: Row[], search: RunSearch): FoundRuns {
  const words = searchedWords(search.text);
  const place = search.after === undefined ? undefined : parsePlace(search.after);
  const found = newestFirst(
    rows.filter(
      (row) =>
        isWanted(row, search, words) &&
        (place === undefined ||
          row.createdAt < place.createdAt ||
          (row.createdAt === place.createdAt && row.order < place.order)),
    ),
  );
  const page = found.slice(0, search.limit ?? 50);
  const last = page.at(-1);
  return {
    runs: page.map((row) => ({ run: storedRun(row), facts: row.facts })),
    ...(last !== undefined && found.length > page.length && { next: printPlace(last) }),
  };
}

/** Runs by state; those inside tool calls are left out. */
export function countRows(rows: Iterable<Row>, owner: Pick<RunSearch, "tenantId" | "allTenants">): RunCounts {
  const counts: Partial<Record<Row["state"], number>> = {};
  for (const { record, state } of rows)
    if (record.parent === undefined && isOf(record.tenantId, owner)) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

function isWanted(row: Row, search: RunSearch, wanted: readonly string[]): boolean {
  const { record, state, facts, words } = row;
  return (
    createdWithin(row, search) &&
    isOf(record.tenantId, search) &&
    record.parent?.runId === search.insideRunId &&
    (search.userId === undefined || record.userId === search.userId) &&
    (search.agentId === undefined || record.agentId === search.agentId) &&
    (search.sessionId === undefined || record.sessionId === search.sessionId) &&
    (search.states === undefined || search.states.includes(state)) &&
    (search.tool === undefined || facts.tools.includes(search.tool)) &&
    (search.leastCostUsd === undefined || (facts.costUsd ?? -1) >= search.leastCostUsd) &&
    wanted.every((word) => words.includes(word))
  );
}

function isOf(tenantId: string | undefined, owner: Pick<RunSearch, "tenantId" | "allTenants">): boolean {
  return owner.allTenants === true || tenantId === owner.tenantId;
}
