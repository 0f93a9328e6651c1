import {
  checkKnownNames,
  ConfigurationError,
  createAgentRuntime,
  memoryStore,
  type AgentOptions,
  type AgentRuntime,
  type Decision,
  type JournalEvent,
  type RunContext,
  type RunOutput,
  type Tool,
  checkArgument,
} from "@bailiwick/core";
import { agentRuntimeOf } from "@bailiwick/core/extension";
import { CassetteError } from "../cassette/cassette-error.ts";
import { scriptedModel } from "../scripted-model/scripted-model.ts";
import { differencesOf, type RunDifference } from "./run-differences.ts";
import { recordedCalls } from "./recorded-calls.ts";
import type { RunRecording } from "./run-recording.ts";
import { resultPlayer, replacementOf, unlistedReplacements } from "./replaced-tools.ts";

/** Settings of `replayRun`. */
export interface ReplayOptions {
  /** `ctx.dependencies` of instructions, hooks and guardrails. Default: those of the agent. */
  readonly dependencies?: unknown;
}

/** A played run. */
export interface RunReplay {
  /** Output of the replayed run. */
  readonly output: RunOutput;
  /** Everything that differs from the recorded run, in the order of the calls; empty if nothing does. */
  readonly differences: readonly RunDifference[];
  /** The records of the replay, such as the reasons of questions. */
  readonly events: readonly JournalEvent[];
}

/** Maximum number of times that a replay is resumed with recorded decisions. */
const mostResumes = 100;

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Plays a recorded run with today's code of its agent: the model gives the recorded answers, each tool its recorded
 * results, and each question of the recorded run its recorded decision. The instructions, schemas, approval rules, flow
 * policy, guardrails, hooks and extensions are the agent's. No model is called, no tool runs, and nothing is stored.
 *
 * @param agent - The agent, or the module that exports it: agents, lists of them, and `{ agents }` are looked through.
 * @param recording - From `recordRun()`, or from a test that the studio saved.
 * @param options - Dependencies of the agent's functions.
 * @throws ConfigurationError `AGENT_MISSING` if the recording is of an agent that the module does not export.
 * @throws CassetteError `CASSETTE_INVALID` for a recording in another format.
 * @example
 * ```ts
 * import type { Agent } from "@bailiwick/agent";
 * import { replayRun, type RunRecording } from "@bailiwick/testing";
 *
 * export async function assertSame(agent: Agent, recording: RunRecording): Promise<void> {
 *   const { differences } = await replayRun(agent, recording);
 *   if (differences.length > 0) throw new Error(differences.map(({ text }) => text).join("\n"));
 * }
 * ```
 */
export async function replayRun(
  agent: object,
  recording: RunRecording,
  options: ReplayOptions = {},
): Promise<RunReplay> {
  checkArgument(agent, "object", "replayRun(agent, recording)");
  checkArgument(recording, "object", "replayRun(agent, recording)");
  checkKnownNames(options, ["dependencies"], "replayRun()");
  if (recording.bailiwickRun !== 1)
    throw new CassetteError("CASSETTE_INVALID", "The recording is not in format 1. Record the run again.");
  const runtime = agentIn(agent, recording.agent);
  const copy = createAgentRuntime(copyOf(runtime.definition.options, recording), runtime.ports);
  const { input, history, userId, tenantId, metadata, extraVars, grants } = recording;
  const first = copy.run(input, {
    messages: history,
    metadata,
    ...(userId !== undefined && { userId }),
    ...(tenantId !== undefined && { tenantId }),
    ...(extraVars !== undefined && { extraVars }),
    ...(grants.length > 0 && { grants }),
    ...("dependencies" in options && { dependencies: options.dependencies }),
  });
  const output = await decided(copy, recording, await ended(first), options);
  const { events } = await copy.inspect(output.runId);
  return { output, differences: differencesOf(recording, { output, calls: recordedCalls(events) }), events };
}

/** The output of a run, also of a failed one. */
async function ended(run: Promise<RunOutput>): Promise<RunOutput> {
  try {
    return await run;
  } catch (error) {
    const { output } = (error ?? {}) as { readonly output?: RunOutput };
    if (output !== undefined) return output;
    throw error;
  }
}

/** Applies the recorded decisions until the run ends, or asks a new question. */
async function decided(
  copy: AgentRuntime,
  { decisions }: RunRecording,
  first: RunOutput,
  options: ReplayOptions,
): Promise<RunOutput> {
  const left = [...decisions];
  let output = first;
  for (let times = 0; output.status === "suspended" && times < mostResumes; times += 1) {
    const known = output.interruptions.flatMap(({ id, token, toolCallId }): readonly Decision[] => {
      const at = left.findIndex(({ callId }) => callId === toolCallId);
      return left
        .splice(at, at < 0 ? 0 : 1)
        .map(({ decision }) => ({ ...decision, id, ...(token !== undefined && { token }) }) as Decision);
    });
    if (known.length === 0) return output;
    output = await ended(copy.resume(output.runId, known, options));
  }
  return output;
}

/** Options of the agent without those that reach outside of the process. */
function copyOf(options: AgentOptions, recording: RunRecording): AgentOptions {
  const { provider, id } = recording.model;
  const play = resultPlayer(recording.results);
  const planner = recording.answers.filter((answer) => answer.planner === true);
  const turns = recording.answers.filter((answer) => answer.planner !== true);
  const model = scriptedModel(
    ({ raw }) => {
      const { messages } = raw as { readonly messages: readonly { readonly id?: string }[] };
      const isPlanner = messages[0]?.id === "planner:system";
      const answer = (isPlanner ? planner : turns).shift();
      if (answer !== undefined) return answer.step;
      if (isPlanner) return '{"asked":false,"quote":""}';
      throw new CassetteError(
        "CASSETTE_MISMATCH",
        "The agent calls the model more often than in the recorded run. Record the run again if this is intended.",
      );
    },
    { provider, modelId: id },
  );
  const withUnlisted = (tools: readonly Tool[]): Tool[] => {
    const listed = tools.map((tool) => replacementOf(tool, play));
    if (!hasOtherTools(options)) return listed;
    return [...listed, ...unlistedReplacements(recording, new Set(listed.map(({ name }) => name)), play)];
  };
  const { tools = [], approval, flow, prepareStep } = options;
  return {
    ...without(options, outside),
    model,
    store: memoryStore(),
    logger: quiet,
    tools:
      typeof tools === "function" ? async (ctx: RunContext) => withUnlisted(await tools(ctx)) : withUnlisted(tools),
    ...(approval !== undefined && { approval: without(approval, ["onApproval", "timeout", "timeoutAction"]) }),
    ...(typeof flow === "object" &&
      flow.planner !== undefined &&
      flow.planner !== false && { flow: without(flow, ["planner"]) }),
    ...(prepareStep !== undefined && {
      prepareStep: async (step) => {
        const settings = await prepareStep(step);
        return settings === undefined ? undefined : without(settings, ["model"]);
      },
    }),
  };
}

/** True if an agent has tools that its list does not name. Without them, a recorded tool that is not listed is gone. */
function hasOtherTools({ mcp = [], handoffs = [], extensions = [], memory }: AgentOptions): boolean {
  return mcp.length + handoffs.length + extensions.length > 0 || memory !== undefined;
}

/** Options that reach models, stores, servers and other agents. */
const outside = [
  "models",
  "modelTiers",
  "fallback",
  "session",
  "memory",
  "ledger",
  "mcp",
  "hostedTools",
  "handoffs",
  "sandbox",
  "telemetry",
  "eventBus",
  "deadlineAt",
  "contextCompactor",
] as const satisfies readonly (keyof AgentOptions)[];

function without<Value extends object, Name extends keyof Value>(
  value: Value,
  names: readonly Name[],
): Omit<Value, Name> {
  const left: Partial<Value> = { ...value };
  for (const name of names) delete left[name];
  return left as Omit<Value, Name>;
}

/** Finds the agent of a recording: the given one, or one that a module exports. */
function agentIn(given: object, name: string): AgentRuntime {
  const open: unknown[] = [given];
  const seen = new Set<unknown>();
  const found: string[] = [];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    if (typeof next !== "object" || next === null || seen.has(next)) continue;
    seen.add(next);
    const runtime = agentRuntimeOf(next);
    if (runtime?.name === name) return runtime;
    if (runtime !== undefined) found.push(runtime.name);
    // A module exports agents, lists of them, and configurations; deeper objects are not the caller's.
    else if (next === given || Array.isArray(next) || "agents" in next || "agent" in next)
      open.push(...Object.values(next));
  }
  throw new ConfigurationError(
    "AGENT_MISSING",
    `replayRun() was given a recording of the agent "${name}", and ${found.length === 0 ? "no agent" : `the agents ${found.join(", ")}`}. Pass the agent "${name}", or the module that exports it.`,
  );
}
