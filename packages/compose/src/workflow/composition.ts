import type {
  AgentOptions,
  AgentRuntime,
  AgentToolOptions,
  Decision,
  EnqueuedRun,
  EnqueueOptions,
  ResumeOptions,
  RunHandleOf,
  RunInput,
  RunOptions,
  RunOutputOf,
  Tool,
  ToolCallResult,
} from "@bailiwick/core";
import type { AnswerTypes } from "./node-types.ts";

/** Settings that every workflow takes. Those of an agent have the same meaning. */
export interface CompositionOptions extends Pick<
  AgentOptions,
  | "store"
  | "extensions"
  | "ledger"
  | "leaseMs"
  | "keys"
  | "budget"
  | "timeouts"
  | "maxDepth"
  | "eventBus"
  | "logger"
  | "clock"
  | "ids"
  | "session"
  | "approval"
  | "flow"
  | "guardrails"
  | "secrets"
  | "sandbox"
  | "dependencies"
> {
  /** Name in events, errors and the journal. Default: the name of the function, such as `pipeline`. */
  readonly name?: string | undefined;
  /** Description for models that may call it. Default: a sentence with its name. */
  readonly description?: string | undefined;
  /** Nodes that run at once; default 8. */
  readonly concurrency?: number | undefined;
}

/** The output of a run of a workflow. */
export type WorkflowOutput<Out> = RunOutputOf<ToolCallResult, Out>;

/**
 * A workflow: it runs, is stored, resumed, inspected and cancelled like an agent, and can be a tool of an agent.
 * `structured` of its output is the answer of its last node, and `text` is the same as text, or as JSON.
 */
export interface Composition<In = RunInput, Out = unknown> extends Pick<
  AgentRuntime,
  | "name"
  | "description"
  | "sessions"
  | "decide"
  | "steer"
  | "followUp"
  | "cancel"
  | "interruptions"
  | "inspect"
  | "verifyAudit"
  | "follow"
  | "fork"
> {
  /**
   * Runs the nodes until the last one has answered, or one waits for a person.
   *
   * @param input - The value of the option `input`; without it, a text, parts, or a user message.
   * @param options - Settings of this run.
   */
  run(input: In, options?: RunOptions): Promise<WorkflowOutput<Out>>;
  /**
   * Starts a run, and returns a handle to its events and its result.
   *
   * @param input - The value of the option `input`; without it, a text, parts, or a user message.
   * @param options - Settings of this run.
   */
  stream(input: In, options?: RunOptions): RunHandleOf<WorkflowOutput<Out>>;
  /**
   * Stores a run for a worker to drive.
   *
   * @param input - The value of the option `input`; without it, a text, parts, or a user message.
   * @param options - Settings of the run, its `idempotencyKey`, and the time at which it starts.
   */
  enqueue(input: In, options?: EnqueueOptions): Promise<EnqueuedRun>;
  /**
   * Continues a stored run with decisions.
   *
   * @param runId - Id of the run.
   * @param decisions - Decisions about its open questions; default: none.
   * @param options - Settings of the rest of the run.
   */
  resume(runId: string, decisions?: readonly Decision[], options?: ResumeOptions): Promise<WorkflowOutput<Out>>;
  /**
   * Continues a stored run, and returns a handle to its events and its result.
   *
   * @param runId - Id of the run.
   * @param decisions - Decisions about its open questions; default: none.
   * @param options - Settings of the rest of the run.
   */
  resumeStream(
    runId: string,
    decisions?: readonly Decision[],
    options?: ResumeOptions,
  ): RunHandleOf<WorkflowOutput<Out>>;
  /**
   * Returns the output of an ended run from its journal; `undefined` if it has not ended.
   *
   * @param runId - Id of the run.
   */
  replay(runId: string): Promise<WorkflowOutput<Out> | undefined>;
  /**
   * Offers this workflow to an agent as a tool. A workflow with `input` offers that schema as its arguments.
   *
   * @param options - Name, arguments and mapping. Default: without `input`, one argument `input`; the answer as output.
   */
  asTool<
    Input = RunInput extends In ? { readonly input: string } : In,
    Output = Out,
    const Name extends string = string,
  >(
    options?: AgentToolOptions<Input, Output, Name>,
  ): Tool<NoInfer<Input>, Output, unknown, Name>;
  /** Types only; never present at run time. */
  readonly "~answer"?: AnswerTypes<In, Out> | undefined;
}
