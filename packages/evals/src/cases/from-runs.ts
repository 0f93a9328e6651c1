import { checkArgument, readJournal, type JournalEvent, type RunStore, type StoredRun } from "@bailiwick/core";
import { agentRuntimeOf, defaultHasher } from "@bailiwick/core/extension";
import { recordRun, type RunRecording } from "@bailiwick/testing";
import type { Case, CaseSource } from "../case.ts";
import type { EvaluatedAgent } from "../evaluation.ts";
import { EvaluationError } from "../evaluation-error.ts";
import { checkSelection, isFaked, storedRuns, type RunSelection } from "../stored-runs.ts";
import { callsOf } from "../running/scored-run.ts";

/** Choice of stored runs, and their treatment. */
export interface FromRunsOptions extends Omit<RunSelection, "agent"> {
  /** Name of the agent, or the agent itself, which has the key of sealed runs. */
  readonly agent: string | EvaluatedAgent;
  /**
   * Changes each text before it becomes a part of a case, such as a removal of personal data; `false` if the texts may be
   * used as they are.
   */
  readonly redact: ((text: string) => string) | false;
  /** Chooses runs by their recording. Default: all. */
  readonly where?: ((recording: RunRecording) => boolean) | undefined;
}

/**
 * Cases from stored runs that have ended: the input, the results of the tools for `"recorded"` fakes, and the decisions of
 * people for `people: "recorded"`. The calls of the run are the expected ones. The store is only read.
 *
 * @param store - Store of the runs.
 * @param options - The agent, the time, and the function that removes personal data.
 * @throws EvaluationError `CASE_SEALED` if a journal is sealed and the agent's key is missing, when the cases are read.
 * @example
 * ```ts
 * import type { RunStore } from "@bailiwick/core";
 * import { fromRuns, type CaseSource } from "@bailiwick/evals";
 *
 * export const lastMonth = (store: RunStore): CaseSource =>
 *   fromRuns(store, { agent: "desk", since: "30d", redact: (text) => text.replaceAll(/\S+@\S+/gu, "someone@example.com") });
 * ```
 */
export function fromRuns(store: RunStore, options: FromRunsOptions): CaseSource {
  checkArgument(store, "listRuns", "fromRuns(store, { agent, redact })");
  checkArgument(options, "object", "fromRuns(store, { agent, redact })");
  checkSelection(options, "fromRuns()", ["redact", "where"]);
  const { agent, redact, where, ...selection } = options;
  if (redact !== false && typeof redact !== "function")
    throw new EvaluationError(
      "INVALID_OPTION",
      'fromRuns() needs "redact": a function that removes personal data from texts, or false if they may be used as they are.',
    );
  const name = typeof agent === "string" ? agent : agent.name;
  return {
    name: `runs of "${name}" in ${store.name}`,
    async *read() {
      for await (const run of storedRuns(store, { ...selection, agent: name })) {
        const events = await journalOf(store, agent, run);
        const one = isFaked(events) ? undefined : caseOf(run, events, where);
        if (one !== undefined) yield redact === false ? one : redacted(one, redact);
      }
    },
  };
}

async function journalOf(
  store: RunStore,
  agent: FromRunsOptions["agent"],
  { id }: StoredRun,
): Promise<readonly JournalEvent[]> {
  const runtime = typeof agent === "string" ? undefined : agentRuntimeOf(agent);
  if (runtime !== undefined && runtime.definition.store === store) return (await runtime.inspect(id)).events;
  const stored = await store.load(id);
  if (stored.some((event) => "sealed" in event))
    throw new EvaluationError(
      "CASE_SEALED",
      `Run "${id}" is sealed, so no case can be made of it. Pass the agent with its key to fromRuns(store, { agent }).`,
    );
  return readJournal(store, id, { hasher: defaultHasher() });
}

function caseOf(run: StoredRun, events: readonly JournalEvent[], where: FromRunsOptions["where"]): Case | undefined {
  let recording: RunRecording;
  try {
    recording = recordRun(events);
  } catch {
    // A run that has not ended, or that was steered, has no recording.
    return undefined;
  }
  if (where?.(recording) === false) return undefined;
  const calls = callsOf(events);
  const argsOf = new Map(
    events.flatMap((event) => (event.type === "tool.call" ? [[event.toolCallId, event.args] as const] : [])),
  );
  const nameOf = new Map(
    events.flatMap((event) => (event.type === "tool.call" ? [[event.toolCallId, event.toolName] as const] : [])),
  );
  return {
    id: run.id,
    input: [...recording.history, recording.input],
    expected: {
      answer: recording.expected.text,
      stopReason: recording.expected.stopReason,
      calls: calls.map(({ tool, args }) => ({ tool, args })),
      effects: calls.filter(({ writes, executed }) => writes && executed).map(({ tool, args }) => ({ tool, args })),
    },
    metadata: recording.metadata,
    from: {
      runId: run.id,
      tenantId: run.tenantId,
      userId: run.userId,
      results: recording.results.map(({ tool, callId, output, error }) => ({
        tool,
        args: argsOf.get(callId),
        ...(output !== undefined && { output }),
        ...(error !== undefined && { error }),
      })),
      decisions: recording.decisions.map(({ callId, decision }) => ({
        tool: nameOf.get(callId) ?? "",
        args: argsOf.get(callId),
        decision,
      })),
    },
  };
}

/** A case with each of its texts changed; names of fields, tools and runs stay. */
function redacted(one: Case, change: (text: string) => string): Case {
  const { id, from, ...rest } = one;
  const keys = new Set([
    "id",
    "role",
    "type",
    "tool",
    "toolName",
    "toolCallId",
    "provider",
    "api",
    "model",
    "finishReason",
    "stopReason",
  ]);
  const walk = (value: unknown, key: string): unknown => {
    if (typeof value === "string") return keys.has(key) ? value : change(value);
    if (Array.isArray(value)) return value.map((member) => walk(member, key));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, walk(member, name)]));
  };
  const walked = walk(rest, "") as Omit<Case, "id" | "from">;
  if (from === undefined) return { ...walked, id };
  const { results, decisions } = walk({ results: from.results, decisions: from.decisions }, "") as Pick<
    NonNullable<Case["from"]>,
    "results" | "decisions"
  >;
  return { ...walked, id, from: { ...from, results, decisions } };
}
