import {
  readJournal,
  checkArgument,
  checkKnownNames,
  createAgentRuntime,
  type AgentRuntime,
  type JournalEvent,
  type RunStore,
} from "@bailiwick/core";
import { agentRuntimeOf, defaultHasher } from "@bailiwick/core/extension";
import { recordRun, replayRun, type RunDifference, type RunRecording } from "@bailiwick/testing";
import { EvaluationError } from "../evaluation-error.ts";
import { grouped } from "../grouped.ts";
import { checkSelection, isFaked, storedRuns, type RunSelection } from "../stored-runs.ts";
import { deciderOf, turnsOf } from "./recorded-decisions.ts";

/** Change of a run under the new rules. */
export type RehearsedChange =
  | "same"
  | "askedNow"
  | "askedNoMore"
  | "refusedNow"
  | "letThrough"
  | "letThroughRefused"
  | "argumentsChanged"
  | "unknown";

/** The rehearsal of one run that would have been another one. */
export interface RehearsalEntry {
  /** Id of the stored run. */
  readonly runId: string;
  /** Kind of the change. */
  readonly change: Exclude<RehearsedChange, "same">;
  /** Name of the tool. */
  readonly tool?: string | undefined;
  /** Arguments of the call. */
  readonly args?: unknown;
  /** Outcome of the call in the stored run, such as `rejected`. */
  readonly before?: unknown;
  /** Outcome under the new rules. */
  readonly after?: unknown;
  /** The rule and the label path that explain it, if the flow policy decided. */
  readonly explanation?: string | undefined;
  /** The person who decided about the call. */
  readonly decidedBy?: string | undefined;
  /** A sentence. */
  readonly text: string;
}

/** Number of runs by what would have changed. */
export type RehearsalCounts = Readonly<Record<RehearsedChange, number>>;

/** The report of a rehearsal. */
export interface Rehearsal extends RehearsalCounts {
  /** The counts alone. */
  readonly counts: RehearsalCounts;
  /** The runs that would have been other ones. */
  readonly entries: readonly RehearsalEntry[];
  /** The report for a terminal. */
  readonly text: string;
}

/** Options of `rehearse()`. */
export interface RehearseOptions {
  /** Store of the runs. It is only read. */
  readonly store: RunStore;
  /** Choice of runs: agent, time, tenant and number. Default: all runs of the agent. */
  readonly runs?: RunSelection | undefined;
  /** The agent with the new rules. */
  readonly with: object;
}

/** From harmless to harmful: the worst change of a run counts. */
const severity: readonly RehearsedChange[] = [
  "same",
  "askedNoMore",
  "unknown",
  "askedNow",
  "refusedNow",
  "argumentsChanged",
  "letThrough",
  "letThroughRefused",
];

const noCounts: RehearsalCounts = {
  same: 0,
  askedNow: 0,
  askedNoMore: 0,
  refusedNow: 0,
  letThrough: 0,
  letThroughRefused: 0,
  argumentsChanged: 0,
  unknown: 0,
};

/**
 * Plays stored runs with an agent that has other rules, declarations or grants: what would be asked, refused and let
 * through, and above all what would be let through that a person had rejected. No model is called, no tool is executed, and
 * nothing is stored. Runs with fakes are left out.
 *
 * @param options - The store, the choice of runs, and the agent with the new rules.
 * @throws EvaluationError `REHEARSAL_EMPTY` if no run fits the choice, `INVALID_OPTION` if `with` is not an agent.
 * @example
 * ```ts
 * import type { Agent } from "@bailiwick/agent";
 * import type { RunStore } from "@bailiwick/core";
 * import { rehearse } from "@bailiwick/evals";
 *
 * export async function check(store: RunStore, desk: Agent): Promise<void> {
 *   const report = await rehearse({ store, runs: { since: "30d" }, with: desk });
 *   if (report.letThroughRefused > 0) throw new Error(report.text);
 * }
 * ```
 */
export async function rehearse(options: RehearseOptions): Promise<Rehearsal> {
  checkArgument(options, "object", "rehearse({ store, with })");
  checkKnownNames(options, ["store", "runs", "with"], "rehearse()");
  const { store, runs = {} } = options;
  checkSelection(runs, '"runs" of rehearse()');
  const runtime = typeof options.with === "object" && options.with !== null ? agentRuntimeOf(options.with) : undefined;
  if (runtime === undefined)
    throw new EvaluationError(
      "INVALID_OPTION",
      "rehearse() needs the agent with the new rules: rehearse({ store, with: desk }).",
    );
  const counts = { ...noCounts };
  const entries: RehearsalEntry[] = [];
  for await (const recorded of recordedRuns(store, runtime, { ...runs, agent: runs.agent ?? runtime.name })) {
    const { entry } = await playedRun(runtime, recorded);
    counts[entry?.change ?? "same"] += 1;
    if (entry !== undefined) entries.push(entry);
  }
  const total = Object.values(counts).reduce((sum, one) => sum + one, 0);
  if (total === 0)
    throw new EvaluationError(
      "REHEARSAL_EMPTY",
      `No run of "${runs.agent ?? runtime.name}" in ${store.name} fits the choice, so nothing was proved. Check the agent's name, the time and the store.`,
    );
  return { ...counts, counts, entries, text: textOf(counts, entries, total) };
}

/** A stored run, with its recording or the reason why it has none. */
export interface RecordedRun {
  readonly runId: string;
  readonly events: readonly JournalEvent[];
  readonly recording: RunRecording | { readonly reason: string };
}

/**
 * The stored runs of a selection, with their recordings; runs with fakes are left out.
 *
 * @yields one run after the other, so that memory does not grow with their number.
 */
export async function* recordedRuns(
  store: RunStore,
  runtime: AgentRuntime,
  runs: RunSelection,
): AsyncIterable<RecordedRun> {
  const { definition, ports } = runtime;
  const { memory: _memory, session: _session, ...rest } = definition.options;
  const reader = createAgentRuntime({ ...rest, store }, ports);
  for await (const { id } of storedRuns(store, runs)) {
    const { events } = await reader.inspect(id).catch(async () => ({
      // A sealed journal has no recording, and its records say so.
      events: await readJournal(store, id, { hasher: defaultHasher() }).catch(() => store.load(id)),
    }));
    if (isFaked(events)) continue;
    yield { runId: id, events, recording: recordingOf(events) };
  }
}

function recordingOf(events: readonly JournalEvent[]): RecordedRun["recording"] {
  try {
    return recordRun(events);
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/** A run under the new rules. */
export interface PlayedRun {
  /** The worst change; `undefined` if the run would be the same. */
  readonly entry: RehearsalEntry | undefined;
  /** Indexes of the approved calls about which no person would be asked. */
  readonly gone: readonly number[];
}

/** Plays a run, and finds its worst change. */
export async function playedRun(runtime: AgentRuntime, { runId, events, recording }: RecordedRun): Promise<PlayedRun> {
  const unknown = (text: string, tool?: string): PlayedRun => ({
    entry: { runId, change: "unknown", ...(tool !== undefined && { tool }), text },
    gone: [],
  });
  if ("reason" in recording) return unknown(recording.reason);
  const changed = changedTool(runtime, events);
  if (changed !== undefined) return unknown(changed.why, changed.tool);
  let replay: Awaited<ReturnType<typeof replayRun>>;
  try {
    replay = await replayRun(runtime, { ...recording, agent: runtime.name });
  } catch (error) {
    return unknown(`The run could not be played: ${error instanceof Error ? error.message : String(error)}`);
  }
  const changes = changesOf(replay.differences, recording, turnsOf(events));
  const gone = changes.flatMap(({ change, difference }) =>
    change === "askedNoMore" && difference.call !== undefined ? [difference.call] : [],
  );
  const [worst] = changes.toSorted((a, b) => severity.indexOf(b.change) - severity.indexOf(a.change));
  return { entry: worst && entryOf(worst, recording, { runId, events, now: replay.events }), gone };
}

function entryOf(
  { difference, change }: Change,
  recording: RunRecording,
  {
    runId,
    events,
    now,
  }: { readonly runId: string; readonly events: readonly JournalEvent[]; readonly now: readonly JournalEvent[] },
): RehearsalEntry {
  const { call: index, before, after, text } = difference;
  const call = index === undefined ? undefined : recording.expected.calls[index];
  const explanation = call && (explanationIn(now, index) ?? explanationIn(events, index));
  return {
    runId,
    change,
    ...(call !== undefined && { tool: call.tool, args: call.args }),
    before,
    after,
    ...(explanation !== undefined && { explanation }),
    ...(index !== undefined && { decidedBy: deciderOf(events, index) }),
    text,
  };
}

interface Change {
  readonly change: Exclude<RehearsedChange, "same">;
  readonly difference: RunDifference;
}

/**
 * The changes of a run up to the turn after which the model would have read something else. A question that is no longer
 * asked about an approved call changes nothing that the model reads, so the rehearsal continues.
 */
function changesOf(
  differences: readonly RunDifference[],
  recording: RunRecording,
  turns: readonly number[],
): readonly Change[] {
  const changes: Change[] = [];
  let last = Infinity;
  for (const its of grouped(differences, ({ call }) => String(call)).values()) {
    const call = its[0]?.call;
    const turn = call === undefined ? Infinity : (turns[call] ?? Infinity);
    if (turn > last) break;
    const one = call === undefined ? endChange(its, changes) : callChange(its, recording.expected.calls[call]);
    if (one === undefined) continue;
    changes.push(one);
    if (one.change !== "askedNoMore") last = turn;
  }
  return changes;
}

/** The change of one call, from all of its differences. */
function callChange(
  its: readonly RunDifference[],
  recorded: RunRecording["expected"]["calls"][number] | undefined,
): Change | undefined {
  const of = (kind: RunDifference["kind"]): RunDifference | undefined => its.find((one) => one.kind === kind);
  const [notAsked, allowed, refused, asked, args, result] = [
    of("notAsked"),
    of("allowed"),
    of("refused"),
    of("asked"),
    of("arguments"),
    of("result"),
  ];
  if (notAsked !== undefined) {
    if (recorded?.asked === "open") return openChange(notAsked, its);
    // A person rejected the call, or had not decided; now it is executed.
    if (allowed !== undefined)
      return { change: recorded?.asked === "rejected" ? "letThroughRefused" : "letThrough", difference: notAsked };
    if (refused !== undefined || recorded?.asked === "rejected")
      return { change: "refusedNow", difference: refused ?? notAsked };
    return args === undefined
      ? { change: "askedNoMore", difference: notAsked }
      : { change: "argumentsChanged", difference: args };
  }
  if (asked !== undefined) return { change: "askedNow", difference: asked };
  if (allowed !== undefined) return { change: "letThrough", difference: allowed };
  if (refused !== undefined) return { change: "refusedNow", difference: refused };
  if (args !== undefined) return { change: "argumentsChanged", difference: args };
  return result === undefined ? undefined : { change: "unknown", difference: result };
}

/** A call that waited for a person, and is executed or refused now without one. */
function openChange(notAsked: RunDifference, its: readonly RunDifference[]): Change {
  const isExecuted = its.some(({ after }) => after === "ok" || after === "failed");
  return { change: isExecuted ? "askedNoMore" : "refusedNow", difference: notAsked };
}

/** The end differs although no call does, such as by a guardrail. */
function endChange([first]: readonly RunDifference[], before: readonly Change[]): Change | undefined {
  return first === undefined || before.length > 0 ? undefined : { change: "unknown", difference: first };
}

/** A called tool whose description or schema is another one now, or whose definition the agent does not have. */
function changedTool(
  { definition }: AgentRuntime,
  events: readonly JournalEvent[],
): { readonly tool: string; readonly why: string } | undefined {
  const start = events.find((event) => event.type === "run.start");
  const known = new Map(definition.registry.known.list().map((tool) => [tool.name, tool.__definitionHash]));
  for (const event of events) {
    if (event.type === "tool.outcome" && event.childRun !== undefined)
      return { tool: event.toolName, why: `"${event.toolName}" runs an agent, whose calls are not rehearsed.` };
    if (event.type !== "tool.call") continue;
    const [then, now] = [start?.tools[event.toolName], known.get(event.toolName)];
    if (then === undefined) continue;
    if (now === undefined)
      return { tool: event.toolName, why: `The agent has no tool "${event.toolName}", or gets it from a server.` };
    if (now !== then)
      return { tool: event.toolName, why: `"${event.toolName}" has another description or schema than in the run.` };
  }
  return undefined;
}

/** The sentence of the flow policy about a call. */
function explanationIn(events: readonly JournalEvent[], index: number | undefined): string | undefined {
  const places = [
    ...new Set(events.flatMap((event) => (event.type === "tool.call" ? [`${event.turn}/${event.index}`] : []))),
  ];
  const place = index === undefined ? undefined : places[index];
  const found = events.findLast((event) => event.type === "flow.decided" && `${event.turn}/${event.index}` === place);
  return found?.type === "flow.decided" ? `${found.rule}: ${found.explanation}` : undefined;
}

const words: Readonly<Record<RehearsedChange, string>> = {
  letThroughRefused: "would be let through, and a person had rejected it",
  letThrough: "would be let through, and was refused",
  argumentsChanged: "would have other arguments",
  refusedNow: "would be refused",
  askedNow: "would ask a person",
  askedNoMore: "would no longer ask a person",
  unknown: "not known",
  same: "the same",
};

/** Entries in one report. */
const mostEntries = 50;

function textOf(counts: RehearsalCounts, entries: readonly RehearsalEntry[], total: number): string {
  const sorted = entries.toSorted((a, b) => severity.indexOf(b.change) - severity.indexOf(a.change));
  const lines = sorted
    .filter(({ change }) => change !== "askedNoMore")
    .slice(0, mostEntries)
    .map(
      ({ runId, change, text, decidedBy, explanation }) =>
        `${runId}  ${words[change]}: ${text}${decidedBy === undefined ? "" : ` Decided by ${decidedBy}.`}${explanation === undefined ? "" : ` ${explanation}`}`,
    );
  const figures = severity
    .toReversed()
    .filter((change) => counts[change] > 0)
    .map((change) => `${change} ${counts[change]}`);
  return [...lines, `${total} runs: ${figures.join(" · ")}`].join("\n");
}
