import type { Label } from "../contracts/label.ts";
import type { Message } from "../contracts/message.ts";
import type { PriceTable } from "../contracts/model-price.ts";
import type { ModelProvider, ModelSpec } from "../contracts/model-provider.ts";
import type { Warning } from "../contracts/model-response.ts";
import type { Clock } from "../contracts/ports/clock.ts";
import type { Ids } from "../contracts/ports/ids.ts";
import type { Logger } from "../contracts/ports/logger.ts";
import type { FlowRun } from "../contracts/ports/security.ts";
import type { RunContext } from "../contracts/run-context.ts";
import type { InheritedRunOptions, RunOptions } from "../contracts/run-options.ts";
import type { AgentUsage, RunOutput } from "../contracts/run-output.ts";
import type { ResultLabel } from "../contracts/tool-flow.ts";
import type { Signal } from "../contracts/signal.ts";
import type { ServedTools } from "../contracts/tool-server.ts";
import type { Tool } from "../contracts/tool.ts";
import type { TokenEstimator } from "../context/token-estimate.ts";
import type { ResumableBuffer } from "../events/resumable-buffer.ts";
import type { RunSink } from "../events/run-sink.ts";
import type { CompiledHistory } from "../history/history-target.ts";
import type { JournalWriter } from "../journal/journal-writer.ts";
import type { Catalogue } from "../registry/catalogue.ts";
import type { CompiledSchema } from "../tools/compiled-schema.ts";
import type { ActiveExtension } from "./active-extension.ts";
import type { AgentDefinition } from "./agent.ts";
import type { AnswerGate } from "./answer-gate/answer-gate.ts";
import type { Forked } from "./state/fork-place.ts";
import type { BudgetAccount } from "./limits/budgets.ts";
import type { Ending, RunControl } from "./limits/run-control.ts";
import type { TimerWheel, WheelTimer } from "./limits/timeouts.ts";
import type { Points } from "./part.ts";
import type { EffectiveSettings } from "./settings/run-settings.ts";
import type { SessionState } from "./state/session-state.ts";

/**
 * One run while this process drives it, for the loop and for every stage of a tool call. Lasting state is in
 * `journal.state`; everything else can be made again.
 */
export interface Run {
  readonly runId: string;
  readonly definition: AgentDefinition;
  readonly options: RunOptions;
  /** The agent's settings with the run's on top, tightened where a run may only tighten. */
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
  /** Shows the warnings that came up before the run's start was on record. */
  readonly showHeldWarnings: () => void;
  /** True if a warning that an agent logs once is due. */
  readonly isFirst: (note: string) => boolean;

  // Limits
  readonly control: RunControl;
  readonly clock: Clock;
  readonly timers: TimerWheel;
  readonly budget: BudgetAccount;
  /** From the run's start: after it the run fails, in any process. */
  readonly deadlineAt: number | undefined;
  /** Milliseconds that the run was driven, in all processes; pauses do not count. */
  readonly activeMs: () => number;
  /** Limits the current turn. */
  stepTimer: WheelTimer | undefined;
  /** Ends the run because a turn took longer than `timeouts.turnMs`. */
  readonly stopSlowTurn: (turnMs: number) => void;
  /** Ends timers and listeners of this run. */
  readonly close: () => void;

  // Policy
  /** In the order in which they are asked; those of the calling run last. */
  readonly extensions: readonly ActiveExtension[];
  /** Hooks, guardrails and extensions at the points where they are asked. */
  readonly points: Points<Run>;
  flow: FlowRun | undefined;
  /** Marks this run's sanitizer envelope. */
  readonly nonce: string;
  /** Settles when input guardrails that run beside the model have decided; they stop the run themselves. */
  inputVerdict: Promise<void> | undefined;
  /** Joined labels of the memories that a tool recalled, by the call's id. */
  readonly recalled: Map<string, ResultLabel>;

  // Tools
  catalogue: Catalogue;
  /** The agent's own tools in this run, and what its servers had when they were asked last. */
  ownTools: readonly Tool[];
  served: readonly ServedTools[];
  /** Reads changes at servers of tools, between two turns; `undefined` without servers. */
  refreshTools: (() => Promise<void>) | undefined;

  // Model and answer
  readonly prices: PriceTable | undefined;
  readonly estimate: TokenEstimator;
  /** Compiles the conversation for a model; each message is compiled once. */
  readonly compile: (messages: readonly Message[], model: ModelProvider) => CompiledHistory;
  /** The view of the conversation that the last request was made of. */
  view: readonly Message[];
  /** Canonical conversation as compiled for the last request. */
  readonly messages: () => readonly Message[];
  /** Collects what nested runs and `preferredModel` ask of the next turn; not journaled. */
  nextModel: ModelSpec | undefined;
  /** The schema of the answer, from the run or the agent. */
  readonly output: CompiledSchema | undefined;
  /** The parts of the answer that are shown, and when. */
  readonly answer: AnswerGate;

  // Runs inside calls, by the call's id
  /** The ones that this process drives now. */
  readonly inside: Map<string, Set<LiveRun>>;
  /** Returns true if a run inside the call is driven here and only waits for a person. */
  readonly waitsInside: (toolCallId: string) => boolean;
  /** Labels of what they have read. */
  readonly readInside: Map<string, readonly Label[]>;
  /** Their usage that is counted in this run, by the inner run's id. */
  readonly spentInside: Map<string, Map<string, readonly AgentUsage[]>>;
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
  /** Changes once, when an idempotency key finds an earlier run. */
  runId: string;
  readonly sink: RunSink;
  readonly control: RunControl;
  /** Buffer for readers that reconnect; only for `resumable` runs. */
  buffer: ResumableBuffer | undefined;
  /** The run has given its answer and reads no more messages. */
  over: boolean;
  attach(run: Run): void;
  detach(): void;
  /** Records nothing more of the step that the run is in. */
  closeJournal(): void;
  /** Journals a message for the run; one that comes before it continues, or when its end is recorded, waits. */
  signal(signal: Signal): void;
  /** Journals the messages that came before the run began or continued. */
  takeSignals(): void;
  /** Remaining messages, which now belong to the caller: this run does not read them any more. */
  takeWaiting(): readonly Signal[];
}

/** The loop's next action. */
export type Step = "ask" | "tools" | "answer";

/** Outcome of a step: continue with another, or end. */
export type StepResult = { readonly next: Step } | { readonly ending: Ending };
