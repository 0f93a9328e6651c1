import type { TokenEstimator } from "../context/token-estimate.ts";
import type { EventBus } from "../contracts/event-bus.ts";
import type { KeptOptions } from "../contracts/kept-options.ts";
import type { Label } from "../contracts/label.ts";
import type { Message } from "../contracts/message.ts";
import type { OwnPrices } from "../models/load-prices.ts";
import type { ModelProvider, ModelSpec } from "../contracts/model-provider.ts";
import type { Warning } from "../contracts/model-response.ts";
import type { Clock } from "../contracts/ports/clock.ts";
import type { Hasher } from "../contracts/ports/hasher.ts";
import type { Ids } from "../contracts/ports/ids.ts";
import type { Ledger } from "../contracts/ports/ledger.ts";
import type { Logger } from "../contracts/ports/logger.ts";
import type { Lease, RunStore } from "../contracts/ports/run-store.ts";
import type { SandboxPort } from "../contracts/ports/sandbox.ts";
import type { ApprovalSigner, SanitizerPort, Sealer, SecretsPort, SecurityPorts } from "../contracts/ports/security.ts";
import type { FlowPort, FlowRun } from "../contracts/ports/flow-policy.ts";
import type { KeptMessage } from "../contracts/run-handle.ts";
import type { RunContext } from "../contracts/run-context.ts";
import type { AgentOptions, InheritedRunOptions, RunInput, RunOptions } from "../contracts/run-options.ts";
import type { AgentUsage, RunOutput } from "../contracts/run-output.ts";
import type { Signal } from "../contracts/signal.ts";
import type { ServedTools, ToolServer } from "../contracts/tool-server.ts";
import type { Tool } from "../contracts/tool.ts";
import type { ResumableBuffer } from "../events/resumable-buffer.ts";
import type { RunSink } from "../events/event-bus.ts";
import type { CompiledHistory } from "../history/provenance.ts";
import type { JournalWriter } from "../journal/journal-writer.ts";
import type { RunState } from "../journal/run-state.ts";
import type { Catalogue } from "../registry/catalogue.ts";
import type { Registry } from "../registry/create-registry.ts";
import type { CompiledSchema } from "../tools/compiled-schema.ts";
import type { ActiveExtension, Points } from "./part.ts";
import type { AnswerGate } from "./answer-gate/answer-gate.ts";
import type { BudgetAccount } from "./limits/budgets.ts";
import type { Ending, RunControl } from "./limits/run-control.ts";
import type { TimerWheel, WheelTimer } from "./limits/timeouts.ts";
import type { AgentRole } from "./settings/option-row.ts";
import type { EffectiveSettings } from "./settings/run-settings.ts";
import type { Forked } from "./state/fork-place.ts";
import type { SessionQueue } from "./state/session-queue.ts";
import type { SessionState } from "./state/session-state.ts";

/** Label of data that a call has read, as the flow policy takes it. */
export type ReadLabel = NonNullable<Parameters<FlowRun["controlLabel"]>[1]>[number];

/** The registries of an agent: one for static tools, or one per list that a resolver returns. */
export interface AgentRegistry {
  /** The tools that are known at construction; none with a resolver. */
  readonly known: Registry;
  /**
   * The registry of a list of tools, in the agent's sandbox unless a stricter one is given. The same list gives the
   * same registry. An invalid tool of `served` is left out: a server must not stop an agent.
   */
  of(tools: readonly Tool[], served?: ReadonlySet<Tool>, sandbox?: AgentOptions["sandbox"]): Registry;
  /** Servers whose tools are only known once a run requests them. */
  readonly servers: readonly ToolServer[];
  /** The agent's tools with the current ones of its servers. */
  join(own: readonly Tool[], served: readonly ServedTools[]): readonly Tool[];
}

/** An agent after its options were checked, in this process; shared by all its runs. */
export interface Agent {
  readonly name: string;
  readonly role: AgentRole;
  readonly options: AgentOptions;
  readonly model: ModelProvider;
  readonly definitionHash: string;
  readonly registry: AgentRegistry;
  readonly output: CompiledSchema | undefined;
  /** Refuses an input before its run is stored: a workflow's, by its schema. */
  readonly checkInput?: ((input: RunInput) => Promise<void>) | undefined;
  readonly store: RunStore;
  /** Runs are kept in this process only, because no store was given. */
  readonly inMemory: boolean;
  readonly ledger: Ledger;
  readonly hasher: Hasher;
  readonly ids: Ids;
  readonly flow: FlowPort | undefined;
  readonly secrets: SecretsPort | undefined;
  readonly sanitizer: SanitizerPort | undefined;
  readonly sandbox: SandboxPort | undefined;
  readonly download: SecurityPorts["download"];
  readonly signer: ApprovalSigner | undefined;
  readonly sealer: Sealer | undefined;
  /** HTTP client for model calls; `undefined` on platforms whose own is as good. */
  readonly fetch: typeof fetch | undefined;
  /** The option `prices`, loaded if it is an address. */
  readonly prices: () => OwnPrices | Promise<OwnPrices>;
  /** Resolves a spec through the agent's `models`. */
  readonly resolveModel: (spec: ModelSpec) => ModelProvider;

  // Runs of this process
  /** Names this process in leases. */
  readonly owner: string;
  readonly eventBus: EventBus;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly keeper: LeaseKeeper;
  readonly sessions: SessionQueue;
  /** Warnings that were already logged once. */
  readonly said: Set<string>;
  /** Runs that wait in an agent without a store, longest first; some may have ended since. */
  readonly waiting: Set<string>;
  /** Runs that this process drives now, by id. */
  readonly live: Map<string, LiveRun>;
  /** Leases of runs whose journal could not be written and that could not be released either, by run. */
  readonly leftOver: Map<string, Lease>;
}

/** The composition of a tool whose calls run an agent of this framework. */
export interface AgentInside {
  /** The agent whose runs are inside. */
  readonly agent: () => Agent | undefined;
}

/**
 * One run while this process drives it, for the loop and for every stage of a tool call. Lasting state is in
 * `journal.state`; all other fields can be recomputed.
 */
export interface Run {
  readonly runId: string;
  readonly agent: Agent;
  readonly options: RunOptions;
  /** The options that are stored with the run. */
  readonly kept: KeptOptions | undefined;
  /** The agent's settings with the run's applied, which may only tighten some of them. */
  readonly settings: EffectiveSettings;
  readonly context: RunContext;
  /** Depth of agents inside agents; 0 for the outer run. */
  readonly depth: number;
  /** Set in a fork. */
  readonly forked: Forked | undefined;
  readonly ids: Ids;

  // Journal and session
  readonly journal: JournalWriter;
  readonly sessionState: SessionState;
  /** The run's session is kept by the store of the run: both are written in one transaction. */
  readonly sessionInStore: boolean;

  // Observers
  readonly sink: RunSink;
  readonly logger: Logger;
  /** Adds a warning to the output and the events, once per code and subject. */
  readonly warn: (warning: Warning) => void;
  /** Warnings of this process; the journal keeps those of model answers. */
  readonly warnings: readonly Warning[];
  /**
   * Calls a function that shows or journals a fact: at once, or after this process's first record of the run, its start
   * or its resumption.
   */
  readonly afterStart: (tell: () => void) => void;
  /** Calls the functions that waited for the first record. */
  readonly tellHeld: () => void;
  /** True if a warning that an agent logs once is due. */
  readonly isFirst: (note: string) => boolean;

  // Limits
  readonly control: RunControl;
  readonly clock: Clock;
  readonly timers: TimerWheel;
  readonly budget: BudgetAccount;
  /** Counts from the run's start, in any process; after it the run fails. */
  readonly deadlineAt: number | undefined;
  /** Milliseconds during which the run was driven, in all processes; pauses do not count. */
  readonly activeMs: () => number;
  /** Limits the current turn. */
  stepTimer: WheelTimer | undefined;
  /** Ends the run because a turn took longer than `timeouts.turnMs`. */
  readonly stopSlowTurn: (turnMs: number) => void;
  /** Removes timers and listeners of this run. */
  readonly close: () => void;

  // Policy
  /** Hooks in the order in which they run; extensions of the calling run come last. */
  readonly extensions: readonly ActiveExtension[];
  /** Hooks, guardrails and extensions, by the point at which they run. */
  readonly points: Points<Run>;
  flow: FlowRun | undefined;
  /** Marks this run's sanitizer envelope. */
  readonly nonce: string;
  /**
   * Settles when the input guardrails that run in parallel with the model have decided; they stop the run themselves.
   */
  inputVerdict: Promise<void> | undefined;
  /** Joined labels of the memories that a tool recalled, by the call's id. */
  readonly recalled: Map<string, ReadLabel>;

  // Tools
  catalogue: Catalogue;
  /** The agent's own tools in this run, and the last lists of its servers. */
  ownTools: readonly Tool[];
  served: readonly ServedTools[];
  /** Reads changes of tool servers between two turns; `undefined` without servers. */
  refreshTools: (() => Promise<void>) | undefined;

  // Model and answer
  readonly estimate: TokenEstimator;
  /** Compiles the conversation for a model; each message is compiled once. */
  readonly compile: (
    messages: readonly Message[],
    model: ModelProvider,
  ) => CompiledHistory & {
    /** Its messages for the model: frozen copies, the same objects for the same messages. */
    readonly sent: readonly Message[];
  };
  /** The view of the conversation in the last request. */
  view: readonly Message[];
  /** Canonical conversation as compiled for the last request. */
  readonly messages: () => readonly Message[];
  /** Collects the requests of inner runs and `preferredModel` for the next turn; not journaled. */
  nextModel: ModelSpec | undefined;
  /** The schema of the answer, from the run or the agent. */
  readonly output: CompiledSchema | undefined;
  /** The parts of the answer that are shown, and when. */
  readonly answer: AnswerGate;

  // Runs inside calls, by the call's id
  /** The ones that this process drives now. */
  readonly inside: Map<string, Set<LiveRun>>;
  /** Loads a run of the agent `own` inside a call of a run of `outer`, to read it. */
  readonly loadInside: (outer: Agent, own: Agent, runId: string) => Promise<{ agent: Agent; state: RunState }>;
  /** Returns true if this process drives the inner run of the call, and it only waits for a person. */
  readonly waitsInside: (toolCallId: string) => boolean;
  /** Labels of the data that they have read. */
  readonly readInside: Map<string, readonly Label[]>;
  /** Their usage that is counted in this run, by the inner run's id. */
  readonly spentInside: Map<string, Map<string, readonly AgentUsage[]>>;
  /** Calls inside which a run ended because it needed a person. */
  readonly unattendedInside: Set<string>;
  /** The runs that hold the idempotency keys for which they sleep. */
  readonly keyWaits: Map<string, string>;
  /** Options that a tool passes to a run that it starts. */
  readonly runOptionsFor: (toolCallId: string) => InheritedRunOptions;
  /** Output of a run inside a call that ended, also in another process. */
  readonly childOutput: (runId: string) => Promise<RunOutput | undefined>;
}

/** A run that this process drives, from the request on. */
export interface LiveRun {
  /** Returns true if it only waits for a person. */
  waits(): boolean;
  /** Suspends it if it only waits for a person, and cancels it otherwise. */
  leave(): void;
  /** Changes once if an idempotency key finds an earlier run. */
  runId: string;
  readonly sink: RunSink;
  readonly control: RunControl;
  /** Buffer for consumers that reconnect; only for `resumable` runs. */
  buffer: ResumableBuffer | undefined;
  /** The run has given its answer and no longer reads messages. */
  over: boolean;
  /** Its end is journaled, or it was given back: it takes no more messages here. */
  readonly closed: boolean;
  /** The place of a message that the run takes now. */
  readonly keeps: KeptMessage["kept"];
  attach(run: Run): void;
  detach(): void;
  /** Stops recording the current step of the run. */
  closeJournal(): void;
  /**
   * Journals a message for the run; a message that arrives before the run continues, or while its end is recorded,
   * waits.
   */
  signal(signal: Signal): void;
  /** Journals the messages that came before the run began or continued. */
  takeSignals(): void;
  /** Remaining messages, which are returned to the caller because this run takes no more. */
  close(): readonly Signal[];
}

/** Renews the leases of all runs that a process drives, and delivers signals of other processes to them. */
export interface LeaseKeeper {
  /** Duration of a lease without renewal, in milliseconds. */
  readonly leaseMs: number;
  add(run: Run): void;
  remove(run: Run): void;
  /**
   * Proves that this process still holds the lease of a run: at once if two thirds of its time have not passed since it
   * was asked for, by the wall clock and by the monotonic clock; otherwise by a renewal.
   *
   * @returns a rejection if the lease is lost, or cannot be proven: nothing may start, and the run stops.
   */
  prove(run: Run): Promise<void> | undefined;
}

/** The loop's next action. */
export type Step = "ask" | "tools" | "answer";

/** Outcome of a step: continue with another, or end. */
export type StepResult = { readonly next: Step } | { readonly ending: Ending };
