import type { ClientToolDefinition } from "./client-tool-definition.ts";
import type { ApprovalConfig, ApprovalDecision } from "./approval-config.ts";
import type { ContentPart } from "./content-part.ts";
import type { ContextCompactorConfig, ToolResultLimit } from "./context-config.ts";
import type { EventBus } from "./event-bus.ts";
import type { FlowMode, FlowOptions, Grant } from "./flow-options.ts";
import type { ToolUseBehavior } from "./function-tool-result.ts";
import type { Extension } from "./extension.ts";
import type { Fakes } from "./fakes.ts";
import type { Handoff } from "./handoff.ts";
import type { Guardrails } from "./guardrail.ts";
import type { AgentHooks, LoopHooks, NodeHooks } from "./hooks.ts";
import type { Keys } from "./keys.ts";
import type { ChatMessage, Message, UserMessage } from "./message.ts";
import type { HostedTool, ModelRegistry, ModelSpec, ToolChoice } from "./model-provider.ts";
import type { Clock } from "./ports/clock.ts";
import type { Hasher } from "./ports/hasher.ts";
import type { Ids } from "./ports/ids.ts";
import type { Ledger } from "./ports/ledger.ts";
import type { Logger } from "./ports/logger.ts";
import type { MemoryPort } from "./ports/memory-store.ts";
import type { RunStore } from "./ports/run-store.ts";
import type { SecretSource } from "./ports/secrets.ts";
import type { SessionStore } from "./ports/session-store.ts";
import type { Telemetry } from "./ports/telemetry.ts";
import type { PriceTable } from "./model-price.ts";
import type { ReasoningConfig } from "./reasoning-config.ts";
import type { ResolvedTool } from "./resolved-tool.ts";
import type { RetryConfig } from "./retry-config.ts";
import type { Runnable } from "./runnable.ts";
import type { RunContext } from "./run-context.ts";
import type { RunOutput } from "./run-output.ts";
import type { SandboxConfig, TierlessSandboxConfig } from "./sandbox-config.ts";
import type { Schema } from "./schema.ts";
import type { StopCondition } from "./stop-condition.ts";
import type { TokenHandlers } from "./token-handlers.ts";
import type { Tool } from "./tool.ts";
import type { ToolServer } from "./tool-server.ts";
import type { ToolCall } from "./tool-call.ts";
import type { CollisionStrategy, ModelHint } from "./vocabularies.ts";
import type { WireChatMessage } from "./wire-chat-message.ts";

/** The input of a run. Parts marked `untrusted` are not the user's own words. */
export type RunInput = string | readonly ContentPart[] | UserMessage;

/** Time limits in milliseconds; `undefined` is unlimited, unless a default is named. */
export interface Timeouts {
  /** Time limit of the whole run in this process; after it the run ends as `timed_out`. */
  readonly totalMs?: number | undefined;
  /** One turn. */
  readonly turnMs?: number | undefined;
  /**
   * Time limit from a model request to its first chunk; makes the provider stream. Default for answers that stream:
   * 600,000, and 1,800,000 for a server on this machine.
   */
  readonly firstChunkMs?: number | undefined;
  /** Between two chunks. Default for answers that stream: 300,000, and 1,800,000 for a server on this machine. */
  readonly idleChunkMs?: number | undefined;
  /**
   * Time for a tool in this process to end after its time limit, or after the run was stopped; a result within it counts.
   * Default 2,000.
   */
  readonly toolGraceMs?: number | undefined;
  /**
   * Time for which `run()`, `stream()` and `resume()` wait for a store that cannot be used; then they reject with the
   * store's error, and the stored run stays open. Default 600,000. Waits end earlier at `deadlineAt` and after a cancel.
   */
  readonly storeMs?: number | undefined;
}

/** Spending limits of a run, including the runs inside it; reserved before each model call. */
export interface Budget {
  /** Tokens of all model calls. */
  readonly tokens?: number | undefined;
  /** Cost of all model calls in US dollars; needs a price for each model. */
  readonly usd?: number | undefined;
  /** Milliseconds during which processes drive the run. */
  readonly durationMs?: number | undefined;
}

/** The settings that `prepareStep` may change for one turn. */
export interface StepSettings {
  /** Model of this turn. */
  readonly model?: ModelSpec | undefined;
  /** Names of the tools that are offered; default all. */
  readonly activeTools?: readonly string[] | undefined;
  /** Tells if the model may, must or must not call tools. */
  readonly toolChoice?: ToolChoice | undefined;
  /** Temperature of the answer. */
  readonly temperature?: number | undefined;
  /** Maximum tokens of the answer. */
  readonly maxTokens?: number | undefined;
  /** System prompt of this turn. */
  readonly instructions?: string | undefined;
  /** Reasoning before the answer. */
  readonly reasoning?: ReasoningConfig | undefined;
}

/** The dependencies that a run passes: some of its agent's, merged over them. */
type SomeOf<Dependencies> = unknown extends Dependencies ? Dependencies : Partial<Dependencies>;

/** Settings that an agent has and a run may override. */
export interface RunSettings<Dependencies = unknown, Given = Dependencies> {
  /** The model that answers: an object of an adapter, or a `"provider/model"` string that `models` resolves. */
  readonly model?: ModelSpec | undefined;
  /** The system prompt: a text, or a function of the run's context. */
  readonly instructions?: string | ((ctx: RunContext<Dependencies>) => string | Promise<string>) | undefined;
  /** Maximum number of model calls; default 20. */
  readonly maxTurns?: number | undefined;
  /** A forced choice is reset to `auto` after the first turn that called a tool. */
  readonly toolChoice?: ToolChoice | undefined;
  /** Decides what follows a tool call. Default `run_llm_again`: the model reads the results and continues. */
  readonly toolUseBehavior?: ToolUseBehavior | undefined;
  /** Reasoning of the model before it answers: effort, budget and summary. */
  readonly reasoning?: ReasoningConfig | undefined;
  /** Temperature of the answer, in the range of the vendor. Left out with a warning if the model does not accept it. */
  readonly temperature?: number | undefined;
  /** Nucleus sampling, from 0 to 1; give it or `temperature`, not both. */
  readonly topP?: number | undefined;
  /** Texts at which the model ends its answer. */
  readonly stopSequences?: readonly string[] | undefined;
  /** `false`: at most one call per turn, if the vendor supports that. Default: the vendor's. */
  readonly parallelToolCalls?: boolean | undefined;
  /** Maximum length of one answer, in tokens; default the model's. */
  readonly maxTokens?: number | undefined;
  /** Settings of one vendor, by its name; each adapter has a typed helper, such as `openaiOptions`. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  /** Models by cost tier, for `preferredModel` hints. A hint without a model keeps the model of the run, with a warning. */
  readonly modelTiers?: Readonly<Partial<Record<ModelHint, ModelSpec>>> | undefined;
  /** Models tried in order when the main one fails. */
  readonly fallback?: readonly ModelSpec[] | undefined;
  /** Retries of a model call that failed; `turn.restarted` withdraws what was shown of it. */
  readonly retry?: RetryConfig | undefined;
  /** Time limits of the run, of a turn and of the pieces of an answer, in milliseconds. */
  readonly timeouts?: Timeouts | undefined;
  /** Maximum number of parallel tool calls; default 8. */
  readonly toolConcurrency?: number | undefined;
  /** Time limit of tools that set none, in milliseconds; default 60,000. */
  readonly toolTimeoutMs?: number | undefined;
  /** Stops the run if any condition holds after a turn. */
  readonly stopWhen?: StopCondition | readonly StopCondition[] | undefined;
  /** Runs before each turn and may change the model, the tools and the settings of that turn. */
  readonly prepareStep?:
    | ((step: {
        readonly step: number;
        readonly messages: readonly Message[];
        readonly ctx: RunContext<Dependencies>;
      }) => StepSettings | void | Promise<StepSettings | void>)
    | undefined;
  /** Functions around each model call and each tool execution. Hooks before a step may refuse it. */
  readonly loopHooks?: LoopHooks | undefined;
  /**
   * Extensions that restrict the run, change the model's input, or observe. A run's extensions follow the agent's, and
   * apply to inner runs too.
   */
  readonly extensions?: readonly Extension[] | undefined;
  /** The run fails if an observing hook throws. Default `false`: the error is logged. */
  readonly hooksAreFatal?: boolean | undefined;
  /** Checks of the input, of the answer, and of the arguments and results of tools. */
  readonly guardrails?: Guardrails | undefined;
  /** Default `hold`: answer text is held back until the verdict. `after` shows it at once and may retract it. */
  readonly outputGuardrails?: "hold" | "after" | undefined;
  /** Chooses the calls that a person has to approve, and how long the run waits. */
  readonly approval?: ApprovalConfig | undefined;
  /** The rules of information flow: a mode, or options with grants. Default `auto`. */
  readonly flow?: FlowMode | FlowOptions | undefined;
  /** Keeps the model's input below a number of tokens. Default: off. */
  readonly contextCompactor?: ContextCompactorConfig | undefined;
  /** Limits what one tool result puts into the conversation, in tokens. Default: the `maxResultTokens` of each tool. */
  readonly toolResultLimit?: ToolResultLimit | undefined;
  /** The memory across sessions, such as `memory()` of `@bailiwick/memory`. */
  readonly memory?: MemoryPort | undefined;
  /** Keeps conversations of several runs, such as `store.sessions`; `sessionId` of a run names one. */
  readonly session?: SessionStore | undefined;
  /**
   * Values for `ctx.dependencies` of tools, hooks and instructions. Never stored; a run's are merged over the agent's.
   * Each run gets its own copy of plain data; functions and instances of classes, such as a database pool, are shared.
   */
  readonly dependencies?: Given | undefined;
  /**
   * The user who owns the data that the run reads and writes. Part of every key of sessions, memories and kept results.
   */
  readonly userId?: string | undefined;
  /** Asks the model for three follow-up prompts after the answer. Default `false`. */
  readonly generateFollowups?: boolean | undefined;
  /**
   * The sandbox for tools that set none. Default: tools run in the process. Without a `tier`, the first of `os` and
   * `wasm` that enforces the other settings. A run may only tighten it, and it applies to inner agents too: the
   * stronger tier, the lower limits, and the rights that both grant.
   */
  readonly sandbox?: SandboxConfig | TierlessSandboxConfig | undefined;
  /** Upper bounds of tokens, US dollars and time for the run and the runs inside it. Default: none. */
  readonly budget?: Budget | undefined;
  /** Receives the events of many agents in one place; see `eventBus()`. */
  readonly eventBus?: EventBus | undefined;
  /** Receives warnings and, with `verbose`, each model call and tool call. Default: warnings on the console. */
  readonly logger?: Logger | undefined;
  /** The source of time; tests pass a simulated one. Default: the clock of the machine. */
  readonly clock?: Clock | undefined;
  /** The source of ids; tests pass a counted one. Default: random UUIDs. */
  readonly ids?: Ids | undefined;
  /** Maximum depth of agents inside agents. Default 8. */
  readonly maxDepth?: number | undefined;
  /** Decides what follows an unknown outcome of a writer; default `suspend`. */
  readonly onUnknownOutcome?: "suspend" | "tell-model" | undefined;
  /** The run continues if its iterator is dropped. Default `false`. */
  readonly detached?: boolean | undefined;
  /** Keeps the deltas of the open turn for clients that reconnect. Default `false`. */
  readonly resumable?: boolean | undefined;
  /** Treatment of a second run on one session: it waits, or throws. Default `queue`. */
  readonly concurrentRuns?: "queue" | "refuse" | undefined;
  /** Stop after the same tool, input and result this many times in a row; default 3; `false` turns it off. */
  readonly loopDetection?: number | false | undefined;
  /** The run fails as expired after this time, in any process; milliseconds since the epoch. */
  readonly deadlineAt?: number | undefined;
}

/** Tools of an agent, or a function that returns them for each run. */
export type ToolList<Tools extends readonly Tool[] = readonly Tool[]> =
  | Tools
  | ((ctx: RunContext) => Tools | Promise<Tools>);

/** The definition of an agent. */
export interface AgentOptions<
  Tools extends readonly Tool[] = readonly Tool[],
  Structured = unknown,
  Dependencies = unknown,
> extends RunSettings<Dependencies> {
  /** Names the agent in events, traces and questions, and as a tool of another agent. */
  readonly name: string;
  /** The model that answers: an object of an adapter, or a `"provider/model"` string that `models` resolves. */
  readonly model: ModelSpec;
  /** The description of the agent as a tool and as a target of handoffs. */
  readonly description?: string | undefined;
  /** The tools that the model may call, or a function of the run that returns them. Default: none. */
  readonly tools?: ToolList<Tools> | undefined;
  /**
   * Servers whose tools the agent gets, such as `mcp()` of `@bailiwick/mcp`; the first run connects. Earlier servers
   * have priority: if two have a tool of the same name, the earlier one keeps the name, and the other tool gets its
   * full name.
   */
  readonly mcp?: readonly ToolServer[] | undefined;
  /** Tools that the vendor runs. */
  readonly hostedTools?: readonly HostedTool[] | undefined;
  /** Resolves `"provider/model"` strings. */
  readonly models?: ModelRegistry | undefined;
  /**
   * Prices that win over the built-in ones, or the address of a JSON file of such prices, which is loaded with the first
   * model call and once a day. Without a price in either, and if the file cannot be loaded, the cost is unknown.
   */
  readonly prices?: PriceTable | string | URL | undefined;
  /** Schema of the answer. */
  readonly output?: Schema<Structured> | undefined;
  /** Functions around each run and each tool call of this agent. */
  readonly hooks?: AgentHooks | undefined;
  /** The source of the secrets that tools may read, such as `env()` or `keyring()`. */
  readonly secrets?: SecretSource | undefined;
  /** Keys that sign decisions (`sign`) and encrypt stored values (`seal`). */
  readonly keys?: Keys | undefined;
  /** Stores runs so that any process can resume them, such as `sqliteStore()`. Default: in memory. */
  readonly store?: RunStore | undefined;
  /**
   * Stores idempotency keys and cached results. Default: the ledger of `store`. A call whose key a run of another store
   * holds waits until that run frees the key, or until the key expires: its process could be alive.
   */
  readonly ledger?: Ledger | undefined;
  /**
   * Time without renewal after which another process may take over a run, in milliseconds; default 30,000, at least
   * 1,000. A run whose process died waits this long for a worker. The lease is renewed at a third of it: a process
   * that is paused for longer loses its runs.
   */
  readonly leaseMs?: number | undefined;
  /** The SHA-256 of the platform, for hosts without one. Default: built in. */
  readonly hasher?: Hasher | undefined;
  /** Receives spans of runs, model calls and tool calls, such as `otel()` of `@bailiwick/otel`. */
  readonly telemetry?: Telemetry | undefined;
  /** Agents that can take over the conversation. Default: none. */
  readonly handoffs?: readonly (Runnable | Handoff)[] | undefined;
  /** Decides which tool keeps a name that tools of different sources share. Default `auto-prefix`. */
  readonly collisions?: CollisionStrategy | undefined;
}

/** Opaque handle of a calling run. */
export interface ParentHandle {
  /** Id of the calling run. */
  readonly runId: string;
  /** Id of the tool call in it. */
  readonly toolCallId: string;
  /** Number of runs above the new one. */
  readonly depth: number;
}

/**
 * Called in the process, in place of suspending the run; the run's counterpart of `approval.onApproval`.
 *
 * @param agentName - The agent that asks.
 * @param toolCall - The call, with its id and arguments.
 * @param tool - The tool; `undefined` if the agent no longer has it.
 */
export type OnApprovalRequired = (
  agentName: string,
  toolCall: ToolCall,
  tool: ResolvedTool | undefined,
) => ApprovalDecision | boolean | Promise<ApprovalDecision | boolean>;

/** Options of one run. A run may only tighten `approval`, `flow`, `guardrails` and `budget`. */
export interface RunOptions<Structured = unknown, Dependencies = unknown> extends RunSettings<
  Dependencies,
  SomeOf<Dependencies>
> {
  /** The conversation of the run. Without a `session` no message is stored, and the agent warns. Default: a new one. */
  readonly sessionId?: string | undefined;
  /** The tenant that owns the data: part of every key of sessions, kept results and runs. */
  readonly tenantId?: string | undefined;
  /** Any data about the run, for tools, hooks and instructions: `ctx.metadata`. JSON, stored with the run. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Overrides the provider's key. Never journaled. */
  readonly apiKey?: string | undefined;
  /** Cancels the run when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Values for instructions and tools of this run: `ctx.extraVars`. JSON, stored with the run. */
  readonly extraVars?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Earlier messages of the conversation. Messages of the user and the system are trusted. Answers and results count as
   * untrusted, since the data behind them is unknown, unless each of their texts has `untrusted: false`. A session
   * stores the labels of what its runs have read. The input may be the last of these user messages, with the same `id`:
   * the model then reads it once, at that place.
   */
  readonly messages?: readonly (Message | ChatMessage | WireChatMessage)[] | undefined;
  /** Another name for `messages`; passing both throws. */
  readonly conversationHistory?: readonly (Message | ChatMessage | WireChatMessage)[] | undefined;
  /** Adds cache breakpoints for a prefix that parallel agents share; `false` turns caching off. */
  readonly enableCaching?: boolean | undefined;
  /** Handlers for pieces of the answer, in place of a loop over `stream()`. */
  readonly onToken?: TokenHandlers | undefined;
  /** Called with the name of the agent when the run starts. */
  readonly onStart?: ((agentName: string) => void) | undefined;
  /** Called with the name of the agent and the output when the run has ended without an error. */
  readonly onComplete?: ((agentName: string, output: RunOutput) => void) | undefined;
  /** Called with the name of the agent and the error when the run has failed. */
  readonly onError?: ((agentName: string, error: Error) => void) | undefined;
  /** Decides approvals in this process, in place of suspending the run. */
  readonly onApprovalRequired?: OnApprovalRequired | undefined;
  /** Calls that the user allows in advance, so that no person is asked. Pass only what the user decided. */
  readonly grants?: readonly Grant[] | undefined;
  /** Adds the events of the vendor to the stream. Default `false`. */
  readonly includeRawEvents?: boolean | undefined;
  /**
   * Logs each model call, answer, tool call and result of the run and the runs inside it, with usage and cost, without
   * secrets. Default `false`.
   */
  readonly verbose?: boolean | undefined;
  /** The calling run, for a run that a tool starts: pass `ctx.runOptions`. */
  readonly parent?: ParentHandle | undefined;
  /** Functions around each node of a composition. */
  readonly hooks?: NodeHooks | undefined;
  /** Schema of the answer of this run; it replaces the agent's. */
  readonly output?: Schema<Structured> | undefined;
  /**
   * Tools of the client for this run, such as those of a page. The client runs them. Each is a writer unless you give
   * `sideEffectClass`, and its output is untrusted. Stored with the run. A tool that has the name of an agent's tool is
   * left out with a warning.
   */
  readonly clientTools?: readonly ClientToolDefinition[] | undefined;
  /** The same key returns the same run. */
  readonly idempotencyKey?: string | undefined;
  /**
   * Answers calls in place of the tools, also in runs inside calls: the run makes no real effect, and remembers no
   * decision. A process that resumes the run passes them again. Default: the tools are executed.
   */
  readonly fakes?: Fakes | undefined;
}

/**
 * Options that a child run inherits when a tool starts one; spread `ctx.runOptions` into its options. `onToken`,
 * `onStart`, `onComplete` and `onError` are called for the outer run only, if they are the same functions: it passes
 * events of inner runs to its own `onToken`.
 */
export interface InheritedRunOptions extends Pick<
  RunOptions,
  | "signal"
  | "model"
  | "temperature"
  | "maxTokens"
  | "stopWhen"
  | "enableCaching"
  | "extraVars"
  | "metadata"
  | "userId"
  | "tenantId"
  | "dependencies"
  | "hooks"
  | "hooksAreFatal"
  | "onToken"
  | "onStart"
  | "onComplete"
  | "onError"
  | "onApprovalRequired"
  | "verbose"
  | "parent"
  | "fakes"
> {}
