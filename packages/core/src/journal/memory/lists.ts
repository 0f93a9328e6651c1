import { parsePlace, printPlace, searchedWords } from "../run-facts.ts";
import type { FoundRuns, RunCounts, RunSearch } from "../../contracts/ports/run-search.ts";
import type { RunFilter } from "../../contracts/ports/run-store.ts";
import type { RunRecord } from "../../contracts/ports/stored-run.ts";
import { searchedRow, storedRun, type Row } from "./rows.ts";

/** The first rows of a list. */
export function listRows(rows: readonly Row[], filter: RunFilter): readonly Row[] {
  return inListOrder(
    rows.filter((row) => matches(row, filter)),
    filter,
  ).slice(0, filter.limit ?? 50);
}

/** True if a list has the run. */
function matches(row: Row, filter: RunFilter): boolean {
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

/** Runs inside tool calls are never listed by `settledAt`. */
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

/** Sorts a list: newest run first, or by `settledAt`, oldest first. */
function inListOrder(rows: Row[], { settledSince, settledBefore }: RunFilter): Row[] {
  if (settledSince === undefined && settledBefore === undefined) return newestFirst(rows);
  return rows.sort((a, b) => (a.settledAt ?? 0) - (b.settledAt ?? 0) || a.order - b.order);
}

/** One page of the rows that match a search. */
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
    runs: page.map((row) => ({ run: storedRun(row), facts: searchedRow(row).facts })),
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
  const { record, state } = row;
  return (
    createdWithin(row, search) &&
    isOf(record.tenantId, search) &&
    record.parent?.runId === search.insideRunId &&
    (search.userId === undefined || record.userId === search.userId) &&
    (search.agentId === undefined || record.agentId === search.agentId) &&
    (search.sessionId === undefined || record.sessionId === search.sessionId) &&
    (search.states === undefined || search.states.includes(state)) &&
    (search.tool === undefined || searchedRow(row).facts.tools.includes(search.tool)) &&
    (search.leastCostUsd === undefined || (searchedRow(row).facts.costUsd ?? -1) >= search.leastCostUsd) &&
    wanted.every((word) => searchedRow(row).words.includes(word))
  );
}

function isOf(tenantId: string | undefined, owner: Pick<RunSearch, "tenantId" | "allTenants">): boolean {
  return owner.allTenants === true || tenantId === owner.tenantId;
}
