import { appendedFacts, parsePlace, parseTools, printPlace, printTools, searchedWords } from "@bailiwick/core/store";
import type { FoundRun, JournalEvent, RunFacts, RunSearch, RunStore } from "@bailiwick/core/store";
import type { DatabaseLink } from "../thread/link.ts";
import type { Appended, FoundRow, SearchColumns } from "../thread/service.ts";
import { toStoredRun } from "./stored-run.ts";

/** Searching the runs of a store. */
export function searchOf(link: DatabaseLink): Pick<RunStore, "searchRuns" | "countRuns"> {
  return {
    async searchRuns(search) {
      const { limit = 50 } = search;
      const rows = await link.call("searchRuns", toSearchColumns(search, limit + 1));
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        runs: page.map(toFoundRun),
        ...(last !== undefined &&
          rows.length > limit && { next: printPlace({ createdAt: last.run.createdAt, order: last.order }) }),
      };
    },
    async countRuns({ tenantId, allTenants }) {
      return Object.fromEntries(await link.call("countRuns", tenantId ?? null, allTenants === true));
    },
  };
}

/** Facts of an append, as columns. */
export function toFacts(events: readonly JournalEvent[]): Appended["facts"] {
  const { costUsd, tools, stopReason, ...facts } = appendedFacts(events);
  return { ...facts, costUsd: costUsd ?? null, tools: printTools(tools), stopReason: stopReason ?? null };
}

function toSearchColumns(search: RunSearch, limit: number): SearchColumns {
  const place = search.after === undefined ? undefined : parsePlace(search.after);
  return {
    tenantId: search.tenantId ?? null,
    allTenants: search.allTenants === true,
    userId: search.userId ?? null,
    agentId: search.agentId ?? null,
    sessionId: search.sessionId ?? null,
    states: search.states ?? null,
    tool: search.tool === undefined ? null : printTools([search.tool]),
    words: searchedWords(search.text),
    leastCostUsd: search.leastCostUsd ?? null,
    createdFrom: search.createdFrom ?? null,
    createdBefore: search.createdBefore ?? null,
    insideRunId: search.insideRunId ?? null,
    after: place === undefined ? null : [place.createdAt, place.order],
    limit,
  };
}

function toFoundRun({ run, costUsd, tokens, modelCalls, toolCalls, tools, stopReason }: FoundRow): FoundRun {
  const facts: RunFacts = {
    costUsd: costUsd ?? undefined,
    tokens,
    modelCalls,
    toolCalls,
    tools: parseTools(tools),
    stopReason: (stopReason ?? undefined) as RunFacts["stopReason"],
  };
  return { run: toStoredRun(run), facts };
}
