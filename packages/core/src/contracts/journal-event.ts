import type { CallPayloads } from "./call-payloads.ts";
import type { ClientToolDefinition } from "./client-tool-definition.ts";
import type { GuardrailResult } from "./guardrail.ts";
import type { Decision } from "./interruption.ts";
import type { KeptOptions } from "./kept-options.ts";
import type { JsonValue } from "./json.ts";
import type { Label, LabelId } from "./label.ts";
import type { AssistantMessage, Message, UserMessage } from "./message.ts";
import type { Warning } from "./model-response.ts";
import type { RecalledMemory } from "./ports/memory-store.ts";
import type { RememberedDecision } from "./remembered-decision.ts";
import type { ErrorData } from "./error-data.ts";
import type { FinishReason } from "./finish-reason.ts";
import type { ShortenedMessage } from "./shortened-message.ts";
import type { Signal } from "./signal.ts";
import type { RunStatus, StopReason } from "./stop-reason.ts";
import type { ResultLabel } from "./tool-flow.ts";
import type { TokenUsage } from "./token-usage.ts";

/** Version of the journal's format as a whole; unknown event types of the same version are tolerated. */
export const JOURNAL_VERSION = 4;

/** The arguments of one call of an answer, exactly as the model wrote them. */
export interface ExactArguments {
  /** Place of the call in the answer, from 0. */
  readonly index: number;
  /** The arguments as JSON text, character by character as the model wrote them. */
  readonly arguments: string;
  /** The arguments, as the provider parsed them. */
  readonly input?: unknown;
}

/** The part of a session that a run has read. */
export interface SessionRead {
  /** Id of the session. */
  readonly id: string;
  /** Version of the session: `load(id, { asOf })` returns the messages. */
  readonly asOf: number;
  /** Number of messages. */
  readonly messages: number;
  /** Indexes of the messages that the run has in another form, such as results that were sanitized. */
  readonly changed?: readonly number[] | undefined;
}

/** A conversation in the store: the session's messages by their version, and only the other ones in full. */
export interface StoredHistory extends Omit<SessionRead, "id" | "changed"> {
  /** Id of the session. */
  readonly session: string;
  /** SHA-256 of the messages that are read from the session. */
  readonly hash: string;
  /** Messages of the run that follow those of the session. */
  readonly given: readonly Message[];
  /** Messages of the session that the run has in another form, by their index. */
  readonly changed?: readonly (readonly [index: number, message: Message])[] | undefined;
  /** Blobs whose handles the session's messages show: they stay stored as long as the run. */
  readonly blobs?: readonly string[] | undefined;
}

/** Fields of each journal event, without those of every record; keys are event types. */
export interface JournalPayloads extends CallPayloads {
  /** The run begins, with its input and the agent's definition. */
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
    /** Names of the tools that write. Absent in older journals: then it is unknown which of them only read. */
    readonly writers?: readonly string[] | undefined;
    /** Conversation before this run. In the store, it is a `StoredHistory` if the run has read a session. */
    readonly history: readonly Message[];
    /** The part of the session with which `history` begins. */
    readonly sessionRead?: SessionRead | undefined;
    /** Index of the input in `history`; default after it. An agent that takes over also gets the messages that follow. */
    readonly inputAt?: number | undefined;
    /** Number of messages at the end of `history` that came with the run's options and are stored in no session. */
    readonly given?: number | undefined;
    /** Indexes of the answers and results in `history` that are untrusted, because their origin is unknown. */
    readonly unknownOrigins?: readonly number[] | undefined;
    /** The messages of the user. */
    readonly input: readonly UserMessage[];
    /** In a fork: the records that it copied, up to `atSeq`, with the session that they were made in. */
    readonly copied?: readonly { readonly atSeq: number; readonly sessionId: string }[] | undefined;
    /** Options of the run that apply in every process that drives it. */
    readonly options?: KeptOptions | undefined;
    /** Tools that the run's client offers. */
    readonly clientTools?: readonly ClientToolDefinition[] | undefined;
    /**
     * True if the run was given dependencies. They are never stored: the process that resumes the run passes them
     * again.
     */
    readonly withDependencies?: boolean | undefined;
    /** The answers come from a model of the caller: no other model can continue the run. */
    readonly withCallerModel?: boolean | undefined;
    /** Fakes answer in place of the tools; `own_store` if the run may write sessions and memories of its store. */
    readonly faked?: "own_store" | "no_store" | undefined;
    readonly sessionState: Readonly<Record<string, unknown>>;
    /** Decisions that people made for later calls too, from earlier runs of the session or the calling run. */
    readonly remembered?: readonly RememberedDecision[] | undefined;
    readonly parent?: { readonly runId: string; readonly toolCallId: string; readonly depth: number } | undefined;
    readonly deadlineAt?: number | undefined;
  };
  /** A process continues the run. */
  "run.resumed": { readonly owner: string; readonly epoch: number };
  /** True if the agent was changed since the run began. */
  "run.definition_changed": {
    readonly from: string;
    readonly to: string;
    /** Names of the tools that were added, removed or changed. */
    readonly tools: readonly string[];
    /** Names of the tools that write now. */
    readonly writers?: readonly string[] | undefined;
  };
  /** A model call begins. */
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
    /** Names of the tools that the client runs. */
    readonly clientTools?: readonly string[] | undefined;
    /** Estimated tokens of the request, if the conversation has a limit: the answer's usage corrects the estimate. */
    readonly estimatedTokens?: number | undefined;
    /** Set for calls outside the conversation, as in `model.result`. */
    readonly purpose?: "turn" | "follow_ups" | "summary" | "planner" | "extract" | undefined;
    /** The tool call that needed this model call. */
    readonly toolCallId?: string | undefined;
  };
  /** The vendor writes the answer in the background, under this id: any process can read it. */
  "model.started": { readonly turn: number; readonly attempt: number; readonly responseId: string };
  /** A model answered, with the whole answer. */
  "model.result": {
    readonly turn: number;
    readonly attempt: number;
    readonly message: AssistantMessage;
    /**
     * Arguments that contain a known secret, as the model wrote them; `message` has them without the secret. Only in a
     * sealed journal: they are never shown, and are used if a person approves the call.
     */
    readonly exactArguments?: readonly ExactArguments[] | undefined;
    /** The message's text as people may see it, if the flow policy removed a part of it. */
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
    /**
     * Set for calls outside the conversation: summaries, follow-ups, the planner, the call that reads a quarantined value,
     * and `restarted` for an attempt that failed after the vendor had counted tokens, so that the turn was asked again.
     */
    readonly purpose?: "turn" | "restarted" | "follow_ups" | "summary" | "planner" | "extract" | undefined;
    /** The tool call that needed this model call: after a resume, that call uses this answer. */
    readonly toolCallId?: string | undefined;
    /** Set when the call failed or was aborted: `message` is the part that had arrived. */
    readonly error?: ErrorData | undefined;
  };
  /** A person reports what happened to a model call without a result, which may have run a hosted tool. */
  "model.decided": {
    readonly turn: number;
    readonly attempt: number;
    readonly decision: Decision;
    /** `resume`, `signal`, or `tell-model` if no person decides. */
    readonly via: string;
  };
  /** A message or command from outside reached the run. */
  "signal.taken": { readonly signal: Signal };
  /** A decision from the inbox matched no open question: it was not applied, and will not be. */
  "signal.dropped": { readonly signalId: string; readonly code: string; readonly message: string };
  /** A message that came from neither a model nor a tool joined the conversation. */
  "message.inserted": {
    readonly message: Message;
    readonly by: "steer" | "follow_up" | "input" | "hook" | "extension" | "repair" | "handoff";
  };
  /** Deferred tools are advertised from now on. */
  "catalogue.promoted": { readonly toolNames: readonly string[]; readonly by: "tool_search" | "spill" };
  /**
   * A key of the session's state has a new value. With `once`, the session's store has it already, under that name.
   * With `toolCallId`, a tool call changed it. With `found`, another run wrote the key, and this run has read it since.
   */
  "state.changed": {
    readonly stateKey: string;
    readonly value: JsonValue;
    readonly once?: string | undefined;
    readonly toolCallId?: string | undefined;
    /** Label of the data that the call has read beside its arguments: memories, and the input of runs inside. */
    readonly read?: ResultLabel | undefined;
    readonly found?: true | undefined;
  };
  /** `setState` found a newer value of another run. The run's value is kept; `newer` is the replaced one. */
  "state.conflict": { readonly stateKey: string; readonly newer?: JsonValue | undefined };
  /**
   * The session's store has these keys; `values` are those of an earlier save under the same name, by a process that
   * died.
   */
  "state.saved": {
    readonly stateKeys: readonly string[];
    readonly values?: Readonly<Record<string, JsonValue>> | undefined;
  };
  /** Another agent took over the conversation. */
  "handoff.transfer": {
    readonly fromAgent: string;
    readonly toAgent: string;
    /** The call that handed the conversation over. */
    readonly toolCallId?: string | undefined;
    readonly reason?: string | undefined;
  };
  /** A guardrail gave its verdict. */
  "guardrail.decided": {
    readonly kind: "input" | "output" | "tool_input" | "tool_output";
    readonly name: string;
    readonly verdict: GuardrailResult;
    readonly toolCallId?: string | undefined;
  };
  /** A callback failed. */
  "hook.failed": { readonly hook: string; readonly error: ErrorData };
  /** The conversation that the model sees was shortened. */
  compaction: {
    readonly strategy: string;
    readonly droppedMessages: number;
    readonly summary?: string | undefined;
    /** Messages up to this one are not shown any more, except for the task, the latest user message and system messages. */
    readonly uptoMessageId?: string | undefined;
    /** Handle of the stored text of the messages that are not shown any more. */
    readonly leftOut?: string | undefined;
    /** Messages of which a part is shown. */
    readonly shortened?: readonly ShortenedMessage[] | undefined;
    /** Number of recalled memories that are shown; all without it. */
    readonly memories?: number | undefined;
    /** Number of summaries that the run has asked for so far. */
    readonly summaries?: number | undefined;
    /** Tokens that the vendor counted for each estimated token of a request that it refused as too long. */
    readonly tokenRatio?: number | undefined;
  };
  /**
   * Memories recalled for a user message, each with the label of its entry. Records of older formats have ids and
   * labels, but no texts.
   */
  "memory.recalled": {
    readonly turn: number;
    readonly forMessageId?: string | undefined;
    readonly memories: readonly (Pick<RecalledMemory, "id" | "integrity" | "readers"> & Partial<RecalledMemory>)[];
  };
  /**
   * A file was downloaded from an address that the model's server does not fetch: from then on the conversation
   * contains its bytes. With `problem` the download failed, and is not tried again in this run.
   */
  "media.fetched": {
    readonly turn: number;
    readonly url: string;
    readonly mimeType?: string | undefined;
    /** Base64. */
    readonly data?: string | undefined;
    readonly problem?: string | undefined;
  };
  /** A tool took the value of a secret. */
  "secret.revealed": { readonly name: string; readonly toolName: string; readonly toolCallId: string };
  /** A tool was refused a secret. */
  "secret.denied": { readonly name: string; readonly toolName: string; readonly toolCallId: string };
  /** The run waits for a person or a time. */
  "run.suspended": {
    readonly reason: "awaiting_approval" | "awaiting_answer" | "awaiting_client_tool" | "awaiting_outcome" | "sleeping";
    readonly interruptionIds: readonly string[];
    readonly wakeAt?: number | undefined;
  };
  /** The run ended. */
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
  /** Id of the run whose journal holds the record. */
  readonly runId: string;
  /** HMAC over the chain up to this record, on the last record of each append, with `keys.sign`. */
  readonly mac?: string | undefined;
}

/** One record of a run's journal. */
export type JournalEvent = {
  [Type in JournalEventType]: RecordFields & { readonly type: Type } & JournalPayloads[Type];
}[JournalEventType];

/** A journal event before it is recorded. `key` is derived from the type if it is not given. */
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
