import type { Decision, InterruptionData } from "../contracts/interruption.ts";
import type { ExactArguments, JournalEventOf } from "../contracts/journal-event.ts";
import type { StopReason } from "../contracts/stop-reason.ts";
import type { Signal } from "../contracts/signal.ts";
import type { AssistantMessage, Message } from "../contracts/message.ts";
import type { Warning } from "../contracts/model-response.ts";
import type { AgentUsage } from "../contracts/run-output.ts";
import type { RememberedDecision } from "../contracts/remembered-decision.ts";
import type { TokenUsage } from "../contracts/token-usage.ts";
import type { CallDecision, ToolCallResult } from "../contracts/tool-call-result.ts";

/** Key of a call within its run: `t<turn>/c<index>`. */
export type CallKey = `t${number}/c${number}`;

/** The key of a call within its run. */
export function callKey(turn: number, index: number): CallKey {
  return `t${turn}/c${index}`;
}

/** The folded state of one tool call. */
export interface CallState {
  /** Turn of the call, from 1. */
  readonly turn: number;
  /** Place of the call in its turn, from 0. */
  readonly index: number;
  /** The id in history, changed if the model repeated one. */
  readonly toolCallId: string;
  /** Name of the called tool. */
  readonly toolName: string;
  /** The arguments as the model wrote them, if the answer has them without a known secret. */
  readonly exact?: ExactArguments | undefined;
  /** Recorded when the call passed parse and validate, or failed its gate. */
  call?: JournalEventOf<"tool.call"> | undefined;
  /** Open or decided approval. */
  approval?: ApprovalState | undefined;
  /** The open question of `ctx.ask`. */
  question?: InterruptionData | undefined;
  /**
   * The client's answer, for a tool that the client runs: the call ends with it, even if the tool changed since then.
   */
  clientAnswer?: { readonly value: unknown; readonly failed?: string | undefined } | undefined;
  /** Decisions that people made about the call so far. */
  decisions?: CallDecision[] | undefined;
  /** Answers of `ctx.ask`, by key. */
  answers?: Record<string, unknown> | undefined;
  /** The open sleep of `ctx.sleep`, or of a call that waits for the run that holds its idempotency key. */
  sleep?: { readonly key: string; readonly wakeAt: number; readonly keyHeldBy?: string | undefined } | undefined;
  /** Number of times that the call slept because another run held its idempotency key. */
  keySleeps?: number | undefined;
  /** Keys of the sleeps that are over. */
  slept?: Set<string> | undefined;
  /** The last decision of the flow policy about the call. */
  flow?: JournalEventOf<"flow.decided"> | undefined;
  /** The values that an approval of the call lowered, for the approved arguments. */
  lowered?: JournalEventOf<"flow.lowered"> | undefined;
  /** The last intent: an intent without an outcome is an effect that may have happened. */
  intent?: JournalEventOf<"tool.intent"> | undefined;
  /**
   * The last attempt that left nothing uncertain: it ended with a question, or a person reported that it had no effect.
   */
  settledAttempt?: number | undefined;
  /** The call may have run without an intent, because its tool was a reader then; in this version it is a writer. */
  formerReader?: boolean | undefined;
  /** The run inside this call that waits for a person. */
  child?: ChildState | undefined;
  /** A run inside this call has waited: if the call fails without it, that run is still open. */
  inside?: boolean | undefined;
  /** The recorded end of the execution; absent until then. */
  outcome?: JournalEventOf<"tool.outcome"> | undefined;
  /** The result as the model reads it; absent until then. */
  result?: JournalEventOf<"tool.result"> | undefined;
}

/** A run inside a call that waits for a person. */
export interface ChildState {
  /** Id of the inner run. */
  readonly runId: string;
  /** Its questions, as the outer run shows them. */
  readonly interruptions: readonly InterruptionData[];
  /** Its usage until then, by agent. */
  readonly spent: readonly (AgentUsage & { readonly runId?: string | undefined })[];
  /** Decisions since then; passed on when the call continues. */
  readonly decisions: Decision[];
  /** End of its sleep; `undefined` after that. */
  wakeAt?: number | undefined;
  /** True if its sleep is over and it may continue. */
  woken?: boolean | undefined;
  /** The run that holds the key for which it sleeps. */
  readonly keyHeldBy?: string | undefined;
}

/** A question that a person has decided. */
export interface DecidedQuestion {
  readonly interruption: InterruptionData | undefined;
  readonly decision: Decision;
  readonly via: string;
  /** Time of the decision, in milliseconds since the epoch. */
  readonly at: number;
  /** The call that the question was about; absent for a question of an inner run, or about a model call. */
  readonly call?: CallState | undefined;
}

/** An approval, from request to use. */
export interface ApprovalState {
  /** The question, as people get it. */
  readonly interruption: InterruptionData;
  /** The decision of a person or of an approver function; absent while the question is open. */
  decision?: Decision | undefined;
  /** Way in which the decision arrived, such as `resume` or `inline`. */
  via?: string | undefined;
  /** Set when an intent or outcome used the decision: it covers no second execution. */
  used?: boolean | undefined;
}

/**
 * A run as the fold of its journal. Only `fold` changes it; every decision reads it. The fields are mutable for the
 * fold alone.
 */
export interface RunState {
  /** Sequence number of the last record folded. */
  seq: number;
  /** Time of the last record folded. */
  recordedAt?: number | undefined;
  /** Time of the last record of the process before this one, in a resumed run. */
  formerHeardAt?: number | undefined;
  /** The run's first record; `undefined` before it. */
  start: JournalEventOf<"run.start"> | undefined;
  /** Canonical conversation: history, input, and everything since. */
  messages: Message[];
  /** Index in `messages` of the first message that is this run's own. */
  firstOwnMessage: number;
  /**
   * Index in `messages` of the first message that has not joined the session: an earlier end took the ones before it.
   */
  sessionFrom: number;
  /** Reason that the newest marker of the unanswered turn in the session names. */
  marked: StopReason | undefined;
  /** The turn in progress, from 1; 0 before the first model call. */
  turn: number;
  /** Model attempt of the turn that has an intent but no result. */
  openModelCall: JournalEventOf<"model.intent"> | undefined;
  /** The vendor's id of the answer that it writes in the background for that attempt. */
  backgroundId: string | undefined;
  /** The last answer of the conversation. */
  lastAnswer: AssistantMessage | undefined;
  /** Calls of all turns by key, in the model's order. */
  calls: Map<CallKey, CallState>;
  /** Keys of the calls of the current turn. */
  turnCalls: CallKey[];
  /** Finished tool calls with their results, in the order in which they finished. */
  toolCalls: ToolCallResult[];
  /** Tokens of all model calls of the run so far. */
  usage: TokenUsage;
  /** Tokens of each model call, in order. */
  perRequest: TokenUsage[];
  /** `undefined` if any price was unknown. */
  costUsd: number | undefined;
  /** Cost of the model calls of this run itself. */
  ownCostUsd: number | undefined;
  /** Usage of finished runs inside calls, by agent. */
  usageInside: readonly AgentUsage[];
  /** Time that model calls took, in milliseconds. */
  modelMs: number;
  /** Time that tool executions took, in milliseconds. */
  toolMs: number;
  /** Number of repeated model requests. */
  retries: number;
  /** Number of model calls, including failed ones. */
  modelCalls: number;
  /** Time to the first token of the first streamed answer, in milliseconds. */
  timeToFirstTokenMs: number | undefined;
  /** The vendor's id of the newest answer. */
  responseId: string | undefined;
  /** Decisions that people asked to remember for later calls. */
  remembered: RememberedDecision[];
  /** Session state as changed by this run. */
  sessionState: Record<string, unknown>;
  /** Keys that were set and are not in the session's store yet, each with the value that the store had. */
  unsavedState: Map<string, unknown>;
  /** The values of writes that the session's store already has, by name. */
  stateWrites: Map<string, unknown>;
  /** Deferred tools that were promoted, in order. */
  promoted: string[];
  /** Ids of signals taken into the log. */
  takenSignals: Set<string>;
  /** Follow-ups, steering and input that have not become messages yet. */
  pendingSignals: Signal[];
  /** Ids of the messages that people sent to the run, and that it has read. */
  sentMessages: Set<string>;
  /** Ids of messages of people that an earlier end of the run has added to its session beside its turn. */
  joinedBeside: Set<string>;
  /** Decisions taken from the inbox that have not been recorded as decided or answered yet. */
  pendingDecisions: Signal[];
  /** Every question of the run that was decided, by its id. */
  decided: Map<string, DecidedQuestion>;
  /** Reason of a requested cancellation; `undefined` if none was requested. */
  cancelRequested: string | undefined;
  /** Warnings of the run so far. */
  warnings: Warning[];
  /** The current agent, after handoffs. */
  activeAgent: string;
  /** The last call that handed the conversation over. */
  handedOver: { readonly turn: number; readonly toolCallId: string | undefined } | undefined;
  /** Hash of the agent definition that drove the run last. */
  definitionHash: string;
  /** The tools that write, for the process that drove the run last. */
  writers: readonly string[] | undefined;
  /** Tools that a model call without an answer offered as readers, and that are writers in this version. */
  formerReaders: readonly string[];
  /** The newest suspension, while the run is suspended. */
  suspended: JournalEventOf<"run.suspended"> | undefined;
  /** The record that ended the run; `undefined` until then. */
  end: JournalEventOf<"run.end"> | undefined;
  /** The newest shortening of the conversation. */
  compaction: JournalEventOf<"compaction"> | undefined;
  /** Tokens that the vendor counted for each estimated token, by the last measurement. */
  tokenRatio: number;
  /** Memories recalled for the latest user message. */
  memory:
    | {
        readonly forMessageId: string;
        readonly memories: JournalEventOf<"memory.recalled">["memories"];
      }
    | undefined;
  /** Addresses that could not be downloaded, each with the reason. */
  unfetched: Map<string, string>;
  /** Ids of all calls of the conversation, history included. */
  callIds: Set<string>;
  /** Number of records of each key that may repeat; see `eventKey`. */
  keyCounts: Map<string, number>;
}
