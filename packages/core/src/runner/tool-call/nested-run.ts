import type { JsonValue } from "../../contracts/json.ts";
import type { Label } from "../../contracts/label.ts";
import type { RememberedDecision } from "../../contracts/remembered-decision.ts";
import type { AgentUsage, RunOutput } from "../../contracts/run-output.ts";
import type { OutcomeFields } from "./call.ts";
import { addAgentUsage, addCost, addUsage } from "../../journal/fold-model.ts";
import { frozenCopy } from "../../user-code/copies.ts";
import type { ToolExecutionContext } from "../../contracts/tool-context.ts";

const nestedRunKey: unique symbol = Symbol.for("bailiwick.nested-run");

/** Result of an agent as a tool: the inner run, and the part of it that the model reads. */
export interface NestedRun {
  /** Marks the object. */
  readonly [nestedRunKey]: true;
  /** Output of the inner run. */
  readonly output: RunOutput;
  /** Output of the call; not read while the inner run waits. */
  readonly value: () => unknown;
}

/**
 * Marks the return value of an agent that is used as a tool.
 *
 * @param output - Output of the inner run.
 * @param value - Makes the output of the call; not called while the inner run waits.
 */
export function nestedRun(output: RunOutput, value: () => unknown): NestedRun {
  return { [nestedRunKey]: true, output, value };
}

/** True if a tool returned a run inside it. */
export function isNestedRun(value: unknown): value is NestedRun {
  return typeof value === "object" && value !== null && nestedRunKey in value;
}

const insideKey: unique symbol = Symbol.for("bailiwick.inside");

/** Results of an inner run for the outer run. */
interface InsideNotes {
  readonly label: Label | undefined;
  readonly remembered: readonly RememberedDecision[];
  readonly sessionState: Readonly<Record<string, JsonValue>>;
}

/** Adds to an output the label, the decisions and the session changes of the run, for the outer run. */
export function noteInside<Output extends RunOutput>(
  output: Output,
  label: Label | undefined,
  remembered: readonly RememberedDecision[],
  sessionState: Readonly<Record<string, JsonValue>> = {},
): Output {
  if (label === undefined && remembered.length === 0 && Object.keys(sessionState).length === 0) return output;
  // The caller owns the output, and the journal may have the same objects.
  const notes: InsideNotes = frozenCopy({ label, remembered, sessionState });
  return Object.defineProperty(output, insideKey, { value: notes });
}

/** Copies these notes to another form of the output, because the caller needs them. */
function keepInside<Output extends RunOutput>(from: RunOutput, to: Output): Output {
  const notes = (from as { readonly [insideKey]?: InsideNotes })[insideKey];
  return notes === undefined ? to : Object.defineProperty(to, insideKey, { value: notes });
}

/**
 * The label of all that a run has read; `undefined` if no policy of information flow judged it.
 *
 * @param output - Output of the run, as `run()` or `resume()` returned it.
 */
export function labelOfRun(output: RunOutput): Label | undefined {
  return (output as { readonly [insideKey]?: InsideNotes })[insideKey]?.label;
}

/** Cost and label of the inner run, for the outer run. */
export function childRunOf(output: RunOutput): NonNullable<OutcomeFields["childRun"]> {
  const notes = (output as { readonly [insideKey]?: InsideNotes })[insideKey];
  return {
    runId: output.runId,
    usage: output.usage,
    costUsd: output.costUsd,
    byAgent: byAgent(output),
    label: notes?.label,
    ...(notes !== undefined && notes.remembered.length > 0 && { remembered: notes.remembered }),
    ...(notes !== undefined && Object.keys(notes.sessionState).length > 0 && { sessionState: notes.sessionState }),
  };
}

/** The usage of a run inside by agent; a runnable of another framework gives a sum only. */
export function byAgent({ usageByAgent, agentName, usage, costUsd }: Partial<RunOutput>): readonly AgentUsage[] {
  if (usageByAgent !== undefined) return usageByAgent;
  return usage === undefined ? [] : [{ agentName: agentName ?? "", usage, costUsd }];
}

/** The inner run of an error that ended it, if the tool was an agent. */
export function failedChildRun(error: unknown): OutcomeFields["childRun"] {
  const output = (error as { readonly output?: Partial<RunOutput> } | undefined)?.output;
  return output?.runId !== undefined && output.usage !== undefined ? childRunOf(output as RunOutput) : undefined;
}

/**
 * Adds the runs that a tool started to its result: their usage and cost count for the calling run.
 *
 * @param outputs - Outputs of runs that were started with `ctx.runOptions`, in order.
 * @param result - Value that the tool returns, or the error that it throws.
 * @returns The result to return or to throw in its place.
 * @example
 * ```ts
 * import { createAgentRuntime } from "@bailiwick/core";
 * import { callerModel, withRunsInside } from "@bailiwick/core/extension";
 * import type { ToolExecutionContext } from "@bailiwick/core/extension";
 *
 * export async function summarize(text: string, ctx: ToolExecutionContext): Promise<string> {
 *   const model = callerModel(ctx.runOptions);
 *   if (model === undefined) return text;
 *   const output = await createAgentRuntime({ name: "summary", model }).run(text, ctx.runOptions);
 *   return withRunsInside([output], output.text);
 * }
 * ```
 */
export function withRunsInside<Result>(outputs: readonly RunOutput[], result: Result): Result {
  const [first, ...others] = outputs;
  if (first === undefined) return result;
  const sum = others.reduce(
    (total, one) => ({
      ...total,
      usage: addUsage(total.usage, one.usage),
      usageByAgent: addAgentUsage(total.usageByAgent, one.usageByAgent),
      costUsd: addCost(total.costUsd, one.costUsd),
    }),
    first,
  );
  const output = keepInside(first, { ...sum, status: "completed" });
  if (result instanceof Error) return Object.defineProperty(result, "output", { value: output });
  return nestedRun(output, () => result) as Result;
}

/**
 * Returns the keys of the questions of a call that were answered, in any process. An adapter whose keys name a resource of
 * another system, such as a task of a server, finds it again when the call resumes.
 *
 * @param ctx - The context that the tool's `execute` received.
 */
export function answeredKeys(ctx: ToolExecutionContext): readonly string[] {
  return (ctx as { readonly answered?: readonly string[] }).answered ?? [];
}
