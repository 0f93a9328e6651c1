import type { JournalEvent } from "../contracts/journal-event.ts";
import type { FoundRuns, RunCounts, RunSearch } from "../contracts/ports/run-search.ts";
import type { StopReason } from "../contracts/stop-reason.ts";
import { newestFirst, storedRun, type Row } from "./memory-rows.ts";
import { appendedFacts, parsePlace, printPlace, searchedWords } from "./run-facts.ts";

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

function isWanted(
  { record, state, createdAt, facts, words }: Row,
  search: RunSearch,
  wanted: readonly string[],
): boolean {
  return (
    isOf(record.tenantId, search) &&
    record.parent?.runId === search.insideRunId &&
    (search.userId === undefined || record.userId === search.userId) &&
    (search.agentId === undefined || record.agentId === search.agentId) &&
    (search.sessionId === undefined || record.sessionId === search.sessionId) &&
    (search.states === undefined || search.states.includes(state)) &&
    (search.tool === undefined || facts.tools.includes(search.tool)) &&
    (search.leastCostUsd === undefined || (facts.costUsd ?? -1) >= search.leastCostUsd) &&
    (search.createdFrom === undefined || createdAt >= search.createdFrom) &&
    (search.createdBefore === undefined || createdAt < search.createdBefore) &&
    wanted.every((word) => words.includes(word))
  );
}

function isOf(tenantId: string | undefined, owner: Pick<RunSearch, "tenantId" | "allTenants">): boolean {
  return owner.allTenants === true || tenantId === owner.tenantId;
}
