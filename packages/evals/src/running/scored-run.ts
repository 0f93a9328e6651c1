import type { AgentRuntime, JournalEvent, RunOutput } from "@bailiwick/core";
import type { ScoredCall, ScoredEffect, ScoredQuestion, ScoredRun } from "../score.ts";
import type { Unit } from "./unit.ts";

/** A run of a case as scorers get it, from the journals. */
export async function scoredRun({ candidate, one, repeat }: Unit, outputs: readonly RunOutput[]): Promise<ScoredRun> {
  const journals = await Promise.all(outputs.map(({ runId }) => journalOf(candidate.runtime, runId)));
  const events = journals.flat();
  const calls = callsOf(events);
  const costs = outputs.map(({ costUsd }) => costUsd);
  return {
    case: one,
    candidate: candidate.name,
    repeat,
    output: outputs.at(-1) as RunOutput,
    events,
    calls,
    effects: effectsOf(calls),
    questions: questionsOf(events),
    costUsd: costs.includes(undefined) ? undefined : sumOf(costs.map((cost) => cost ?? 0)),
    tokens: sumOf(outputs.map(({ usage }) => usage.inputTokens + usage.outputTokens)),
    ms: sumOf(outputs.map(({ durationMs }) => durationMs)),
    turns: sumOf(outputs.map(({ metrics }) => metrics.turns)),
  };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Maximum number of runs inside one run that are read. */
const mostInside = 10_000;

/** The records of a run, with those of each run inside a call before the outcome of the call. */
async function journalOf(runtime: AgentRuntime, runId: string): Promise<readonly JournalEvent[]> {
  const seen = new Set<string>();
  const read = async (id: string): Promise<readonly JournalEvent[]> => {
    if (seen.has(id) || seen.size >= mostInside) return [];
    seen.add(id);
    const { events } = await runtime.inspect(id);
    const all: JournalEvent[] = [];
    for (const event of events) {
      if (event.type === "tool.outcome") {
        if (event.childRun !== undefined) all.push(...(await read(event.childRun.runId)));
        if (event.inside !== undefined)
          for (const inner of await insideOf(runtime, id)) all.push(...(await read(inner)));
      } else if (event.type === "child.suspended" && isLast(events, event)) all.push(...(await read(event.childRunId)));
      all.push(event);
    }
    return all;
  };
  return read(runId);
}

/** True if the call of an inner run that waits has no outcome: its journal is read here. */
function isLast(
  events: readonly JournalEvent[],
  { turn, index }: { readonly turn: number; readonly index: number },
): boolean {
  return !events.some((event) => event.type === "tool.outcome" && event.turn === turn && event.index === index);
}

/** Runs that tools of a run started themselves. */
async function insideOf({ definition }: AgentRuntime, runId: string): Promise<readonly string[]> {
  const { runs } = await definition.store.searchRuns({ insideRunId: runId, allTenants: true, limit: 100 });
  return runs.map(({ run }) => run.id);
}

interface DraftCall {
  tool: string;
  args: unknown;
  idempotencyKey: string | undefined;
  failed: string | undefined;
  executed: boolean;
  writes: boolean;
}

/** Every call, in order, with the arguments with which it was executed. */
export function callsOf(events: readonly JournalEvent[]): readonly ScoredCall[] {
  const calls = new Map<string, DraftCall>();
  for (const event of events) {
    if (event.type === "tool.call") {
      const place = placeOf(event);
      const before = calls.get(place);
      if (before === undefined)
        calls.set(place, {
          tool: event.toolName,
          args: event.args,
          idempotencyKey: undefined,
          failed: undefined,
          executed: false,
          writes: false,
        });
      else before.args = event.args;
    } else if (event.type === "tool.approval.decided") {
      const call = calls.get(placeOf(event));
      const edited = event.decision.type === "approve" ? event.decision.args : undefined;
      if (call !== undefined && edited !== undefined) call.args = edited;
    } else if (event.type === "tool.intent") {
      const call = calls.get(placeOf(event));
      if (call !== undefined) {
        call.writes = true;
        call.idempotencyKey = event.idempotencyKey;
      }
    } else if (event.type === "tool.outcome") {
      const call = calls.get(placeOf(event));
      if (call === undefined) continue;
      call.failed = event.failure?.message;
      call.executed =
        event.failure === undefined || event.failure.fromTool === true ? event.failure?.code !== "FAKE_MISSING" : false;
    }
  }
  return [...calls.values()];
}

/** Writers that were called; a repetition with the same key is one effect. */
function effectsOf(calls: readonly ScoredCall[]): readonly ScoredEffect[] {
  const keys = new Set<string>();
  return calls.filter(({ writes, executed, tool, idempotencyKey }) => {
    if (!writes || !executed) return false;
    if (idempotencyKey === undefined) return true;
    const key = `${tool}\n${idempotencyKey}`;
    if (keys.has(key)) return false;
    keys.add(key);
    return true;
  });
}

function questionsOf(events: readonly JournalEvent[]): readonly ScoredQuestion[] {
  const decided = new Map<string, string>();
  for (const event of events) {
    if (event.type === "tool.approval.decided") decided.set(event.decision.id, event.decision.type);
    else if (event.type === "input.answered")
      decided.set(event.toolCallId, event.failed === undefined ? "answer" : "fail");
  }
  return events.flatMap((event) => {
    if (event.type !== "tool.approval.requested" && event.type !== "input.requested") return [];
    const { id, kind, toolName: tool, toolCallId } = event.interruption;
    const decision = decided.get(event.type === "input.requested" ? toolCallId : id);
    return [{ tool, kind, ...(decision !== undefined && { decision }) }];
  });
}

function placeOf({
  runId,
  turn,
  index,
}: {
  readonly runId: string;
  readonly turn: number;
  readonly index: number;
}): string {
  return `${runId}/t${turn}/c${index}`;
}

/** The reason if a run proves nothing, because one of its calls had no fake. */
export function missingFakeIn(events: readonly JournalEvent[]): string | undefined {
  const found = events.find((event) => event.type === "tool.outcome" && event.failure?.code === "FAKE_MISSING");
  return found?.type === "tool.outcome" ? found.failure?.message : undefined;
}
