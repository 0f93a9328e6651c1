import type { ClientToolDefinition } from "./client-tool-definition.ts";
import type { GuardrailResult } from "./guardrail.ts";
import type { Grant } from "./flow-options.ts";
import type { Decision, InterruptionData } from "./interruption.ts";
import type { JsonValue } from "./json.ts";
import type { Integrity, Label, LabelId } from "./label.ts";
import type { AssistantMessage, Message, ToolMessage, UserMessage } from "./message.ts";
import type { Warning } from "./model-response.ts";
import type { RecalledMemory } from "./ports/memory-store.ts";
import type { RememberedDecision } from "./remembered-decision.ts";
import type { ErrorData } from "./error-data.ts";
import type { FinishReason } from "./finish-reason.ts";
import type { ResultLabel } from "./tool-flow.ts";
import type { Signal } from "./signal.ts";
import type { RunStatus, StopReason } from "./stop-reason.ts";
import type { AgentUsage } from "./run-output.ts";
import type { TokenUsage } from "./token-usage.ts";
import type { ContentPart } from "./content-part.ts";
import type { ChangedValue, ToolCallResult, ToolFailure } from "./tool-call-result.ts";
import type { SideEffectClass } from "./vocabularies.ts";

/** Version of the journal's format as a whole; unknown event types of the same version are tolerated. */
export const JOURNAL_VERSION = 2;

/** The arguments of one call of an answer, exactly as the model wrote them. */
export interface ExactArguments {
  /** Place of the call in the answer, from 0. */
  readonly index: number;
  readonly arguments: string;
  /** The arguments as the provider parsed them. */
  readonly input?: unknown;
}

/** The fields of each journal event besides those of every record; keys are event types. */
export interface JournalPayloads {
  "run.start": {
    readonly version: number;
    readonly runId: string;
    readonly agentName: string;
    readonly sessionId: string;
    readonly userId?: string | undefined;
    readonly tenantId?: string | undefined;
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly extraVars?: Readonly<Record<string, unknown>> | undefined;
    readonly model: string;
    readonly modelProvider: string;
    readonly definitionHash: string;
    /** Definition hash per tool at the start. */
    readonly tools: Readonly<Record<string, string>>;
    /** Conversation before this run. */
    readonly history: readonly Message[];
    /** Index of the input in `history`; default after it. An agent that takes over also gets the messages that follow. */
    readonly inputAt?: number | undefined;
    /** How many of the last messages of `history` the run was given with its options, and were kept by no session. */
    readonly given?: number | undefined;
    /** The messages of the user. */
    readonly input: readonly UserMessage[];
    /** Tools that the run's client offers. */
    readonly clientTools?: readonly ClientToolDefinition[] | undefined;
    /** The run was given dependencies. They are never written down: the process that resumes it gives them again. */
    readonly withDependencies?: boolean | undefined;
    readonly sessionState: Readonly<Record<string, unknown>>;
    /** Decisions of people for later calls too, from earlier runs of the session or the calling run. */
    readonly remembered?: readonly RememberedDecision[] | undefined;
    readonly parent?: { readonly runId: string; readonly toolCallId: string; readonly depth: number } | undefined;
    readonly deadlineAt?: number | undefined;
  };
  "run.resumed": { readonly owner: string; readonly epoch: number };
  "run.definition_changed": { readonly from: string; readonly to: string; readonly tools: readonly string[] };
  "model.intent": {
    readonly turn: number;
    readonly attempt: number;
    readonly model: string;
    readonly modelProvider: string;
    /** Hash of the compiled request. */
    readonly requestHash: string;
    /** Hosted tools offered that can write: without a result the call is `unknown_outcome`. */
    readonly hostedWriters: readonly string[];
    /** Names of the function tools offered. */
    readonly tools: readonly string[];
    /** Names of those that the client runs. */
    readonly clientTools?: readonly string[] | undefined;
    /** Set for calls beside the conversation, as in `model.result`. */
    readonly purpose?: "turn" | "follow_ups" | "summary" | "planner" | "extract" | "repair" | undefined;
    /** The tool call that a call beside the conversation was made for. */
    readonly toolCallId?: string | undefined;
  };
  "model.result": {
    readonly turn: number;
    readonly attempt: number;
    readonly message: AssistantMessage;
    /**
     * Arguments that hold a known secret, as the model wrote them; `message` has them without it. Only in a sealed
     * journal: it is shown to nobody, and used when a person approves the call.
     */
    readonly exactArguments?: readonly ExactArguments[] | undefined;
    /** The message's text as people may see it, where the flow policy took something out of it. */
    readonly shownText?: string | undefined;
    readonly usage: TokenUsage;
    readonly finishReason: FinishReason;
    readonly responseId?: string | undefined;
    readonly warnings: readonly Warning[];
    /** `undefined` when the price is unknown. */
    readonly costUsd?: number | undefined;
    readonly durationMs: number;
    readonly timeToFirstTokenMs?: number | undefined;
    readonly retries: number;
    /** Set for calls beside the conversation: summaries, follow-ups, the planner, a value that is read for the model. */
    readonly purpose?: "turn" | "follow_ups" | "summary" | "planner" | "extract" | "repair" | undefined;
    /** The tool call that a call beside the conversation was made for: resumed, that call takes this answer. */
    readonly toolCallId?: string | undefined;
    /** Set when the call failed or was aborted: `message` is what had arrived. */
    readonly error?: ErrorData | undefined;
  };
  /** A person knows what became of a model call without a result, which may have run a hosted tool. */
  "model.decided": {
    readonly turn: number;
    readonly attempt: number;
    readonly decision: Decision;
    /** `resume`, `signal`, or `tell-model` where no person is asked. */
    readonly via: string;
  };
  /** A call passed or failed its gate. */
  "tool.call": {
    readonly turn: number;
    readonly index: number;
    readonly toolCallId: string;
    readonly toolName: string;
    /** Validated input as JSON, or the raw text when it did not validate. */
    readonly args: unknown;
    readonly argsHash: string;
    readonly definitionHash: string;
    /** The verdict of the tool's predicate and the approval policy, which are asked once per call. Absent if the gate failed before. */
    readonly needsApproval?: boolean | undefined;
    /**
     * The rule by which the flow policy allowed the call, such as `R1`, where nothing else is to be said of its decision.
     * Any other decision is a `flow.decided` record.
     */
    readonly allowedBy?: string | undefined;
  };
  "tool.approval.requested": { readonly turn: number; readonly index: number; readonly interruption: InterruptionData };
  "tool.approval.decided": {
    readonly turn: number;
    readonly index: number;
    readonly toolCallId: string;
    readonly toolName: string;
    readonly decision: Decision;
    /** `inline`, `resume`, `remembered`, `expired`, `timeout` … */
    readonly via: string;
    /** Values that the person changed, as they were shown. */
    readonly changes?: readonly ChangedValue[] | undefined;
    readonly argsHash: string;
    readonly definitionHash: string;
  };
  /** Written and synced before a writer runs. */
  "tool.intent": {
    readonly turn: number;
    readonly index: number;
    readonly toolCallId: string;
    readonly toolName: string;
    readonly argsHash: string;
    readonly attempt: number;
    readonly sideEffectClass: SideEffectClass;
    readonly idempotencyKey?: string | undefined;
    /**
     * Hash of what the tool was given: the arguments as its schema parsed them. A keyed call is only repeated with the
     * same. Absent without a key, and for values that have no canonical form.
     */
    readonly inputHash?: string | undefined;
    /** The interruption whose approval this execution uses up. */
    readonly approvalId?: string | undefined;
    /** Index of the grant whose count this execution uses up. */
    readonly grant?: number | undefined;
  };
  /** Written right after `execute`, scrubbed and labelled; presentation comes after it. */
  "tool.outcome": {
    readonly turn: number;
    readonly index: number;
    readonly toolCallId: string;
    readonly toolName: string;
    readonly attempt: number;
    readonly output?: unknown;
    readonly contentParts?: readonly ContentPart[] | undefined;
    readonly details?: unknown;
    readonly resultLabel?: ResultLabel | undefined;
    readonly endRun?: boolean | undefined;
    readonly failure?: ToolFailure | undefined;
    readonly deduplicated?: boolean | undefined;
    readonly cached?: boolean | undefined;
    readonly simulated?: boolean | undefined;
    readonly durationMs: number;
    /** The child run, when the tool is an agent. */
    readonly childRun?:
      | {
          readonly runId: string;
          readonly usage: TokenUsage;
          readonly costUsd?: number | undefined;
          /** The same usage by agent. */
          readonly byAgent?: readonly AgentUsage[] | undefined;
          /** Join of all that the inner run has read; without one its output is untrusted. */
          readonly label?: Label | undefined;
          /** Decisions of people inside for later calls too. */
          readonly remembered?: readonly RememberedDecision[] | undefined;
          /** The session's state as the agent that the conversation was handed to changed it. */
          readonly sessionState?: Readonly<Record<string, JsonValue>> | undefined;
        }
      | undefined;
  };
  /** The one result of a call, as the model reads it. */
  "tool.result": {
    readonly turn: number;
    readonly index: number;
    readonly message: ToolMessage;
    readonly result: ToolCallResult;
    /** The blob that has the whole of a result that was too long to show: it goes when the run is deleted. */
    readonly spilled?: string | undefined;
    /** Findings of the sanitizer in the result, or its failed scan: the flow policy lowers the trust of the result. */
    readonly findings?: readonly string[] | undefined;
  };
  /** The decision of the flow policy, recorded if it says more than the rule that allowed the call. */
  "flow.decided": {
    readonly turn: number;
    readonly index: number;
    readonly toolCallId: string;
    readonly toolName: string;
    readonly verdict: "allow" | "ask" | "deny";
    readonly rule: string;
    readonly explanation: string;
    /** Decided and recorded only. */
    readonly shadow?: boolean | undefined;
    /** Not a denial: the model may correct the form of the call. */
    readonly correction?: boolean | undefined;
    readonly grant?: number | undefined;
    /** The tool's input as the policy changed it. */
    readonly input?: unknown;
  };
  "flow.grants": {
    readonly source: "developer" | "user" | "planner";
    readonly grants: readonly Grant[];
    readonly messageId?: string | undefined;
  };
  /** A quarantined value is about to be read for the model: its bits are spent from here on, whatever comes of it. */
  "flow.extract": {
    readonly turn: number;
    readonly index: number;
    readonly toolCallId: string;
    /** The value that is read; a reference of the inner run if `childRunId` is given. */
    readonly ref: string;
    /** Upper bound of what the answer can say, in bits. */
    readonly bits: number;
    /** The run inside the call that reads. */
    readonly childRunId?: string | undefined;
  };
  /** A label was lowered on a person's word: a developer's validator vouches for a value, or a person for one call. */
  "flow.lowered": {
    readonly turn: number;
    readonly index: number;
    readonly toolCallId: string;
    readonly toolName: string;
    /** `endorse`: a tool's code asked a validator; `approval`: a person, now or earlier, approved the arguments. */
    readonly by: "endorse" | "approval";
    /** The subject: a reference, or the hash of the call's arguments. */
    readonly subject: string;
    /** Name of the validator that passed. */
    readonly validator?: string | undefined;
    readonly reason: string;
    readonly decidedBy?: string | undefined;
    /** Label before; the record's own label is the one after. */
    readonly from: LabelId;
    readonly integrity: { readonly before: Integrity; readonly after: Integrity };
  };
  "input.requested": { readonly turn: number; readonly index: number; readonly interruption: InterruptionData };
  "input.answered": {
    readonly toolCallId: string;
    readonly answerKey: string;
    readonly value: unknown;
    /** The client answers for a tool that it runs. */
    readonly by?: "client" | undefined;
    /** The client's tool failed: the reason that the client gave. */
    readonly failed?: string | undefined;
    readonly decidedBy?: string | undefined;
    /** The place of the answer: `http`, `chat`, `inline`. */
    readonly channel?: string | undefined;
  };
  /** A tool sleeps; the call begins again after `wakeAt`, in milliseconds since the epoch. */
  "sleep.begun": {
    readonly turn: number;
    readonly index: number;
    readonly toolCallId: string;
    readonly toolName: string;
    readonly sleepKey: string;
    readonly wakeAt: number;
  };
  /** The time of a sleep had come; absent `sleepKey`: of the run inside the call. */
  "sleep.ended": {
    readonly turn: number;
    readonly index: number;
    readonly toolCallId: string;
    readonly sleepKey?: string | undefined;
  };
  /** An agent used as a tool waits for a person: its questions, as the outer run shows them. */
  "child.suspended": {
    readonly turn: number;
    readonly index: number;
    readonly toolCallId: string;
    readonly toolName: string;
    readonly childRunId: string;
    readonly interruptions: readonly InterruptionData[];
    /** The usage of the run inside until then, and of the runs inside it. */
    readonly spent?: readonly AgentUsage[] | undefined;
    /** It sleeps until then. */
    readonly wakeAt?: number | undefined;
  };
  /** A decision for an agent used as a tool; it is handed on when the call continues. */
  "child.decided": {
    readonly turn: number;
    readonly index: number;
    readonly toolCallId: string;
    readonly decision: Decision;
    readonly via: string;
  };
  "signal.taken": { readonly signal: Signal };
  /** A decision from the inbox fitted no open question: it was not applied, and will not be. */
  "signal.dropped": { readonly signalId: string; readonly code: string; readonly message: string };
  "message.inserted": {
    readonly message: Message;
    readonly by: "steer" | "follow_up" | "input" | "hook" | "extension" | "repair" | "handoff";
  };
  "catalogue.promoted": { readonly toolNames: readonly string[]; readonly by: "tool_search" | "spill" };
  /** A key of the session's state has a new value. With `once`, the session's store has it already, under that name. */
  "state.changed": { readonly stateKey: string; readonly value: JsonValue; readonly once?: string | undefined };
  /** `setState` met the newer value of another run. The run's value is kept; `newer` is the one that it replaces. */
  "state.conflict": { readonly stateKey: string; readonly newer?: JsonValue | undefined };
  /** The session's store has these keys; `values` has those of an earlier save of the same name, by a process that died. */
  "state.saved": {
    readonly stateKeys: readonly string[];
    readonly values?: Readonly<Record<string, JsonValue>> | undefined;
  };
  "handoff.transfer": {
    readonly fromAgent: string;
    readonly toAgent: string;
    /** The call that handed the conversation over. */
    readonly toolCallId?: string | undefined;
    readonly reason?: string | undefined;
  };
  "guardrail.decided": {
    readonly kind: "input" | "output" | "tool_input" | "tool_output";
    readonly name: string;
    readonly verdict: GuardrailResult;
    readonly toolCallId?: string | undefined;
  };
  "hook.failed": { readonly hook: string; readonly error: ErrorData };
  compaction: {
    readonly strategy: string;
    readonly droppedMessages: number;
    readonly summary?: string | undefined;
    /** Messages up to this one are not shown any more, the task excepted. */
    readonly uptoMessageId?: string | undefined;
    /** Tool results up to this message are shown by their beginning only. */
    readonly elideUptoMessageId?: string | undefined;
  };
  /**
   * Memory was asked what the model is to be told beside a user message; this is what it is told, each with the label that
   * it was kept with. Records from before their texts were kept have ids and labels alone.
   */
  "memory.recalled": {
    readonly turn: number;
    readonly forMessageId?: string | undefined;
    readonly memories: readonly (Pick<RecalledMemory, "id" | "integrity" | "readers"> & Partial<RecalledMemory>)[];
  };
  "secret.revealed": { readonly name: string; readonly toolName: string; readonly toolCallId: string };
  "secret.denied": { readonly name: string; readonly toolName: string; readonly toolCallId: string };
  "run.suspended": {
    readonly reason: "awaiting_approval" | "awaiting_answer" | "awaiting_client_tool" | "awaiting_outcome" | "sleeping";
    readonly interruptionIds: readonly string[];
    readonly wakeAt?: number | undefined;
  };
  "run.end": {
    readonly status: RunStatus;
    readonly stopReason: StopReason;
    readonly text: string;
    readonly structured?: unknown;
    readonly followupSuggestions?: readonly string[] | undefined;
    readonly error?: ErrorData | undefined;
    readonly durationMs: number;
  };
}

/** Name of a journal event. */
export type JournalEventType = keyof JournalPayloads;

/** Fields of every record. */
export interface RecordFields {
  /** Position in the run's journal, from 1. */
  readonly seq: number;
  /** Milliseconds since the epoch, by the run's clock. */
  readonly at: number;
  /** Unique within the run, such as `t2/c0/intent`; derived again on load and compared. */
  readonly key: string;
  /** Label of the event's content. */
  readonly label: LabelId;
  /** Label nodes that are first used by this record. */
  readonly labels?: readonly Label[] | undefined;
  readonly runId: string;
  /** HMAC over the chain up to this record, on the last record of each append, with `keys.sign`. */
  readonly mac?: string | undefined;
}

/** One record of a run's journal. */
export type JournalEvent = {
  [Type in JournalEventType]: RecordFields & { readonly type: Type } & JournalPayloads[Type];
}[JournalEventType];

/** A journal event before it is recorded. `key` is derived from the type where it is not given. */
export type JournalEventInput = {
  [Type in JournalEventType]: {
    readonly type: Type;
    readonly key?: string;
    readonly label?: LabelId;
    readonly labels?: readonly Label[];
  } & JournalPayloads[Type];
}[JournalEventType];

/** The journal event of one type. */
export type JournalEventOf<Type extends JournalEventType> = Extract<JournalEvent, { type: Type }>;
