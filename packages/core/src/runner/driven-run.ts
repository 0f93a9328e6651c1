import type { RunOutput } from "../contracts/run-output.ts";
import type { TokenEstimator } from "../context/token-estimate.ts";
import type { Message } from "../contracts/message.ts";
import type { ModelProvider } from "../contracts/model-provider.ts";
import type { PriceTable } from "../contracts/model-price.ts";
import type { Warning } from "../contracts/model-response.ts";
import type { RunSink } from "../events/run-sink.ts";
import type { CompiledHistory } from "../history/history-target.ts";
import type { JournalWriter } from "../journal/journal-writer.ts";
import type { CompiledSchema } from "../tools/compiled-schema.ts";
import type { ActiveRun } from "./active-run.ts";
import type { AnswerGate } from "./answer-gate/answer-gate.ts";
import type { BudgetAccount } from "./limits/budgets.ts";
import type { Points } from "./part.ts";
import type { RunControl, Ending } from "./limits/run-control.ts";
import type { TimerWheel, WheelTimer } from "./limits/timeouts.ts";

/** A run inside a tool call while this process drives it. */
export interface InsideRun {
  /** Returns true if it only waits for a person. */
  waits(): boolean;
  /** Suspends it if it only waits for a person, and cancels it otherwise. */
  leave(): void;
}

/** An `ActiveRun` with what only the loop uses. */
export interface DrivenRun extends ActiveRun {
  readonly journal: JournalWriter;
  /** The runs inside calls that this process drives now, by the call's id. */
  readonly inside: Map<string, Set<InsideRun>>;
  readonly points: Points<DrivenRun>;
  readonly sink: RunSink;
  readonly control: RunControl;
  readonly timers: TimerWheel;
  readonly budget: BudgetAccount;
  readonly prices: PriceTable | undefined;
  readonly estimate: TokenEstimator;
  /** The parts of the answer that are shown, and when. */
  readonly answer: AnswerGate;
  /** Compiles the conversation for a model; each message is compiled once. */
  readonly compile: (messages: readonly Message[], model: ModelProvider) => CompiledHistory;
  /** Shows the warnings that came up before the run's start was on record. */
  readonly showHeldWarnings: () => void;
  /** Warnings of this process; the journal keeps those of model answers. */
  readonly warnings: readonly Warning[];
  /** The schema of the answer, from the run or the agent. */
  readonly output: CompiledSchema | undefined;
  /** Milliseconds since the epoch when this process acquired the run. */
  readonly takenUpAt: number;
  /** Milliseconds that the run was driven, in all processes; pauses do not count. */
  readonly activeMs: () => number;
  /** Output of a run inside a call that ended, also in another process. */
  readonly childOutput: (runId: string) => Promise<RunOutput | undefined>;
  /** From the run's start: after it the run fails, in any process. */
  readonly deadlineAt: number | undefined;
  /** Ends the run because a turn took longer than `timeouts.turnMs`. */
  readonly stopSlowTurn: (turnMs: number) => void;
  /** Limits the current turn. */
  stepTimer: WheelTimer | undefined;
  /** Settles when input guardrails that run beside the model have decided; they stop the run themselves. */
  inputVerdict: Promise<void> | undefined;
  /** Reads changes at servers of tools, between two turns; `undefined` without servers. */
  refreshTools: (() => Promise<void>) | undefined;
  /** The view of the conversation that the last request was made of. */
  view: readonly Message[];
}

/** The loop's next action. */
export type Step = "ask" | "tools" | "answer";

/** Outcome of a step: continue with another, or end. */
export type StepResult = { readonly next: Step } | { readonly ending: Ending };
