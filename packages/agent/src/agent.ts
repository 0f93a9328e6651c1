import {
  agentTool,
  createAgentRuntime,
  exposeRuntime,
  type AgentOptions,
  type AgentRuntime,
  type AgentToolOptions,
  type AuditVerdict,
  type RebuiltRequest,
  type Decision,
  type EnqueuedRun,
  type EnqueueOptions,
  type FollowOptions,
  type ForkOptions,
  type Interruption,
  type Owner,
  type Preflight,
  type PreflightOptions,
  type RunEvent,
  type ResolveToolCalls,
  type ResumeOptions,
  type KeptMessage,
  type RunHandleOf,
  type RunInput,
  type RunInspection,
  type RunOptions,
  type RunOutputOf,
  type Schema,
  type SecurityPorts,
  type SessionStore,
  type Tool,
  type ToolCallResult,
  type ToolExplanation,
} from "@bailiwick/core";
import { platformPorts } from "#platform";
import type { FittingDependencies } from "./fitting-dependencies.ts";
import { securityPorts } from "./security-ports.ts";

/** The runtime is erased; the types of its values are in `Agent`'s signatures. */
function typed<T>(value: unknown): T {
  return value as T;
}

/**
 * An agent: a model with tools, and with the authority that you grant them. One instance serves any number of runs at
 * once.
 *
 * Types are inferred from the options: the calls in `result.toolCalls` are a union on `toolName`, and
 * `result.structured` has the type of the `output` schema.
 *
 * @example
 * ```ts
 * import { Agent, tool } from "@bailiwick/agent";
 * import type { ModelProvider } from "@bailiwick/agent";
 * import { z } from "zod";
 *
 * const add = tool({
 *   name: "add",
 *   description: "Adds two numbers.",
 *   inputSchema: z.object({ a: z.number(), b: z.number() }),
 *   sideEffectClass: "pure",
 *   execute: ({ a, b }) => a + b,
 * });
 *
 * export async function calculate(model: ModelProvider, question: string): Promise<string> {
 *   const agent = new Agent({ name: "calculator", model, instructions: "Calculate.", tools: [add] });
 *   const result = await agent.run(question);
 *   return result.text;
 * }
 * ```
 */
export class Agent<
  const Tools extends readonly Tool[] = readonly Tool[],
  Structured = unknown,
  Dependencies = unknown,
  Call extends ToolCallResult = ResolveToolCalls<Tools>,
> {
  /** The agent's name, in events, errors and the journal. */
  readonly name: string;
  /** The purpose of the agent, for agents that may call it. */
  readonly description: string | undefined;
  /** The agent's session store, decrypted if `keys.seal` is set; `undefined` without `session`. */
  readonly sessions: SessionStore | undefined;
  /** Types only; never present at run time: what `run()` takes, and the value that the agent gives in a workflow. */
  declare readonly "~answer"?: { readonly isAgent: true; readonly input: RunInput; readonly answer: Structured };
  readonly #runtime: AgentRuntime;

  /**
   * @param options - The agent's configuration. The constructor checks all of it and throws on the first mistake.
   * @param ports - Your own implementations of the ports that enforce authority, such as `{ sandbox: createSandbox({
   *   drivers }) }`; default those of `@bailiwick/security` and `@bailiwick/security/sandbox`.
   * @throws ConfigurationError and its subclasses: `UNKNOWN_OPTION` names the nearest one, `INVALID_TOOL` the tool.
   */
  constructor(
    options: AgentOptions<Tools, Structured, Dependencies> & FittingDependencies<Tools>,
    ports?: SecurityPorts,
  ) {
    this.#runtime = createAgentRuntime(typed<AgentOptions>(options), securityPorts(ports), platformPorts());
    this.name = this.#runtime.name;
    this.description = this.#runtime.description;
    this.sessions = this.#runtime.sessions;
    exposeRuntime(this, this.#runtime);
  }

  /**
   * Runs the agent until it answers, stops, or waits for a person.
   *
   * @param input - The user's text, parts, or message.
   * @param options - Settings of this run; approval, flow, guardrails and budget can only be made stricter.
   * @returns the output, also if the run was stopped, suspended or cancelled: read `status` and `stopReason`.
   * @throws RunError and the other typed errors if the run failed or was blocked; `error.output` is the partial output.
   * @throws ConfigurationError `INVALID_INPUT`, `UNKNOWN_OPTION`, `INVALID_OPTION` before anything is stored or sent.
   */
  run<Result = Structured>(
    input: RunInput,
    options?: RunOptions<Result, Dependencies> & { readonly output?: Schema<Result> | undefined },
  ): Promise<RunOutputOf<Call, Result>> {
    return typed(this.#runtime.run(input, options as RunOptions | undefined));
  }

  /**
   * Runs the agent and streams its events.
   *
   * @param input - The user's text, parts, or message.
   * @param options - Settings of this run.
   * @returns a handle: iterate it for events, await its `result`. Dropping the iterator cancels the run unless it is
   *   `detached`; a run that only waits for a person is suspended.
   */
  stream<Result = Structured>(
    input: RunInput,
    options?: RunOptions<Result, Dependencies> & { readonly output?: Schema<Result> | undefined },
  ): RunHandleOf<RunOutputOf<Call, Result>> {
    return typed(this.#runtime.stream(input, options as RunOptions | undefined));
  }

  /**
   * Stores a run without driving it. A `worker` of `@bailiwick/worker` drives it, in any process that has the store, or
   * call `resume` with its id. All other settings come from the agent in the process that drives the run.
   *
   * @param input - The user's text, parts, or message.
   * @param options - Time at which it is due, priority, session, owner, idempotency key and deadline.
   * @returns the id of the run; if a run has the idempotency key already, the id of that run.
   * @throws ConfigurationError `INVALID_INPUT`, `UNKNOWN_OPTION`, `INVALID_OPTION`, `CONFLICTING_OPTIONS` before anything is
   * stored.
   *
   * @example
   * ```ts
   * import { Agent } from "@bailiwick/agent";
   *
   * export async function summarizeTonight(agent: Agent, mail: string, messageId: string): Promise<string> {
   *   const { runId } = await agent.enqueue(mail, { idempotencyKey: messageId, delayMs: 3_600_000 });
   *   return runId;
   * }
   * ```
   */
  enqueue(input: RunInput, options?: EnqueueOptions): Promise<EnqueuedRun> {
    return this.#runtime.enqueue(input, options);
  }

  /**
   * Continues a stored run until it ends, waits or sleeps: a run that was enqueued, waits, failed, or lost its process; from any
   * process that has the store. A repeated call has no further effect.
   *
   * @param runId - The run: `result.runId` or an error's `runId`.
   * @param decisions - Decisions about the questions in `result.interruptions`.
   * @param options - Settings of this run. Pass dependencies again, because they are never stored. `tenantId`, `userId` and
   * `sessionId` must match the run. With `formerIsGone` the lease of a process that ended is taken before it expires.
   * @throws RunNotFoundError `RUN_NOT_FOUND`, also for a run of another tenant or user; RunBusyError `RUN_BUSY`, ToolMissingError
   * `TOOL_MISSING`.
   * @throws ConfigurationError `INVALID_OPTION` for another session than the run's, and for options that only `run` accepts.
   * @throws SealKeyMissingError `SEAL_KEY_MISSING` if the run is sealed, or a decision holds a known secret, and there is no key.
   * @throws DecisionError for a decision that is unknown, used, or about another question. Nothing ran, and the questions stay open.
   */
  resume<Result = Structured>(
    runId: string,
    decisions?: readonly Decision[],
    options?: ResumeOptions<Result, Dependencies>,
  ): Promise<RunOutputOf<Call, Result>> {
    return typed(this.#runtime.resume(runId, decisions, options as ResumeOptions | undefined));
  }

  /**
   * Stores decisions without driving the run: the process that drives it, or the next worker, applies them. A repeated
   * call has no further effect.
   *
   * @param runId - The run.
   * @param decisions - Decisions about the questions in `result.interruptions`.
   * @param owner - The tenant and user of the run.
   * @throws RunNotFoundError `RUN_NOT_FOUND`, also for a run of another tenant or user.
   * @returns the number of decisions that are new.
   * @throws DecisionError for a decision that does not fit its question; none is stored then.
   */
  decide(runId: string, decisions: readonly Decision[], owner?: Owner): Promise<number> {
    return this.#runtime.decide(runId, decisions, owner);
  }

  /**
   * Resumes a run like `resume`, and streams its events.
   *
   * @param runId - The run.
   * @param decisions - Decisions about the questions in `result.interruptions`.
   * @param options - Settings of this run.
   */
  resumeStream<Result = Structured>(
    runId: string,
    decisions?: readonly Decision[],
    options?: ResumeOptions<Result, Dependencies>,
  ): RunHandleOf<RunOutputOf<Call, Result>> {
    return typed(this.#runtime.resumeStream(runId, decisions, options as ResumeOptions | undefined));
  }

  /**
   * Offers this agent to another one as a tool. Usage, cost, limits, labels, budget and cancellation apply across both
   * runs. If this agent waits for a person, its question is an interruption of the outer run; resume the outer run to
   * continue.
   *
   * @param options - Name, arguments and mapping. Default: one argument `input`, and the answer as output.
   *
   * @example
   * ```ts
   * import { Agent } from "@bailiwick/agent";
   * import type { ModelProvider } from "@bailiwick/agent";
   *
   * export async function ask(model: ModelProvider, question: string): Promise<string> {
   *   const shipping = new Agent({ name: "shipping", description: "Knows parcels.", model, instructions: "Answer questions about parcels." });
   *   const desk = new Agent({ name: "desk", model, tools: [shipping.asTool()] });
   *   return (await desk.run(question)).text;
   * }
   * ```
   */
  asTool<Input = { readonly input: string }, Output = unknown, const Name extends string = string>(
    options?: AgentToolOptions<Input, Output, Name>,
  ): Tool<NoInfer<Input>, Output, unknown, Name> {
    return agentTool<Input, Output, Name>(this, options);
  }

  /**
   * Adds a message to a run after its current tool results, from any process that has the store. A run that waits reads it
   * when it continues, and a stopped, cancelled or failed run when it is resumed.
   *
   * @param runId - The run.
   * @param message - The message.
   * @returns where the message is kept: `run`, or `session` if the run is being stopped.
   * @throws RunNotFoundError `RUN_NOT_FOUND`, RunError `RUN_OVER` if it is completed
   */
  steer(runId: string, message: RunInput): Promise<KeptMessage> {
    return this.#runtime.steer(runId, message);
  }

  /**
   * Adds a message to a run after its answer, so that the run continues with it. A run that ends before its answer adds
   * the message to its session.
   *
   * @param runId - The run.
   * @param message - The message.
   * @returns where the message is kept: `run`, or `session` if the run is being stopped.
   * @throws RunNotFoundError `RUN_NOT_FOUND`, RunError `RUN_OVER` if it is completed
   */
  followUp(runId: string, message: RunInput): Promise<KeptMessage> {
    return this.#runtime.followUp(runId, message);
  }

  /**
   * Cancels a run in any process that drives it; this call ends a run without an owner.
   *
   * @param runId - The run.
   * @param reason - The reason, for the journal and for tools.
   * @throws RunNotFoundError `RUN_NOT_FOUND`
   */
  cancel(runId: string, reason?: string): Promise<void> {
    return this.#runtime.cancel(runId, reason);
  }

  /**
   * Returns the open questions of a run: approvals, questions, client tools and unknown outcomes.
   *
   * @param runId - The run.
   * @param owner - The tenant and user of the run.
   * @throws RunNotFoundError `RUN_NOT_FOUND`, also for a run of another tenant or user.
   */
  interruptions(runId: string, owner?: Owner): Promise<readonly Interruption[]> {
    return this.#runtime.interruptions(runId, owner);
  }

  /**
   * Returns the state and records of a run, without driving it.
   *
   * @param runId - The run.
   * @throws RunNotFoundError `RUN_NOT_FOUND`
   */
  inspect(runId: string): Promise<RunInspection> {
    return this.#runtime.inspect(runId);
  }

  /**
   * Checks a run's journal as evidence: every record, its signature, and each question that a person decided.
   *
   * @param runId - The run.
   * @returns `valid`, `unsigned` if there is no signing key, or `broken` with the first invalid record.
   * @throws RunNotFoundError `RUN_NOT_FOUND`
   */
  verifyAudit(runId: string): Promise<AuditVerdict> {
    return this.#runtime.verifyAudit(runId);
  }

  /**
   * Streams a run's events to a consumer that joins late or reconnects: every record exactly once and, if this process
   * drives the run as `resumable`, the open turn's deltas and all later events.
   *
   * @param runId - The run.
   * @param options - The last record that the consumer has received.
   * @throws RunNotFoundError `RUN_NOT_FOUND`, while iterating.
   */
  follow(runId: string, options?: FollowOptions): AsyncIterableIterator<RunEvent> {
    return this.#runtime.follow(runId, options);
  }

  /**
   * Copies the beginning of a run into a new run. Call `resume` to drive it. The new run has a separate session, whose
   * id is its run id: a branch with the messages that the copied run had read.
   *
   * @param runId - The run to copy.
   * @param options - The last record to copy, and the changes.
   * @throws RunNotFoundError `RUN_NOT_FOUND`, ConfigurationError `INVALID_OPTION`
   */
  fork(runId: string, options: ForkOptions): Promise<{ readonly runId: string }> {
    return this.#runtime.fork(runId, options);
  }

  /**
   * Computes a run's output again from its records, without calling a model or a tool.
   *
   * @param runId - The run.
   * @returns `undefined` if the run is queued, running or stuck: it has no output yet.
   * @throws RunNotFoundError `RUN_NOT_FOUND`, ReplayDivergenceError `REPLAY_DIVERGENCE`
   */
  replay(runId: string): Promise<RunOutputOf<Call, Structured> | undefined> {
    return typed(this.#runtime.replay(runId));
  }

  /**
   * Rebuilds the request of a model call from the journal and today's code. No model is called, no tool runs and nothing is
   * written; functions that shape a request are called, such as `instructions` and `prepareStep`.
   *
   * @param runId - The run.
   * @param seq - Number of the call's `model.intent` record.
   * @returns the request with both hashes, which are equal if this is the request that was sent.
   * @throws RunNotFoundError `RUN_NOT_FOUND`, ConfigurationError `INVALID_OPTION` for a record that is not a model call of
   * the conversation.
   * @example
   * ```ts
   * import { Agent } from "@bailiwick/agent";
   *
   * export async function printPrompt(agent: Agent, runId: string, seq: number): Promise<void> {
   *   const { request, hash, recordedHash } = await agent.rebuildRequest(runId, seq);
   *   console.log(hash === recordedHash ? "As it was sent:" : "The code has changed since:", request.messages);
   * }
   * ```
   */
  rebuildRequest(runId: string, seq: number): Promise<RebuiltRequest> {
    return this.#runtime.rebuildRequest(runId, seq);
  }

  /**
   * Explains how the flow policy classifies each tool, and why: declared, by its source, or guessed from its name.
   *
   * @returns one explanation per tool, with the line to add if something is not declared. Tools of servers are listed too.
   * @throws ConfigurationError `TOOLS_UNKNOWN` if the tools are resolved for each run.
   * @example
   * ```ts
   * import { Agent } from "@bailiwick/agent";
   *
   * export async function printGuesses(agent: Agent): Promise<void> {
   *   for (const { name, effect, by, why } of await agent.explainTools()) console.log(name, effect, by, why);
   * }
   * ```
   */
  explainTools(): Promise<readonly ToolExplanation[]> {
    return this.#runtime.explainTools();
  }

  /**
   * Lists the questions that a run may ask, before you run it unattended: the planner's grants for the input, the writers
   * that no grant covers, and the code that avoids each question. Nothing is executed or stored. The planner's model is
   * called once, unless `flow.planner` is `false`.
   *
   * @param input - The text, parts or message of the run.
   * @param options - Grants that the run will have, and its instructions.
   * @returns `findings`, empty if the run asks nothing, and `code` with the grants for `run(input, { grants })`.
   * @throws ConfigurationError `TOOLS_UNKNOWN` if the tools are resolved for each run; `INVALID_INPUT`, `UNKNOWN_OPTION`;
   * `INVALID_OPTION` if the instructions are a function and none are given.
   * @throws FlowOptionsError for a grant that could never match.
   * @example
   * ```ts
   * import { Agent } from "@bailiwick/agent";
   *
   * export async function printQuestions(agent: Agent, task: string): Promise<void> {
   *   const { findings, code } = await agent.preflight(task);
   *   for (const { sentence, code: toAdd } of findings) console.log(sentence, toAdd ?? "");
   *   console.log(code);
   * }
   * ```
   */
  preflight(input: RunInput, options?: PreflightOptions): Promise<Preflight> {
    return this.#runtime.preflight(input, options);
  }
}
