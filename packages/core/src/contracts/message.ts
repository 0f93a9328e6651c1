import type { AssistantPart, ContentPart, ProviderState } from "./content-part.ts";
import type { FinishReason } from "./finish-reason.ts";
import type { TokenUsage } from "./token-usage.ts";
import type { ToolCall } from "./tool-call.ts";

interface MessageBase {
  /** Unique within the run. */
  readonly id: string;
  /** Creation time in milliseconds since the epoch. */
  readonly timestamp?: number | undefined;
  /** A participant's name. */
  readonly name?: string | undefined;
  /** In a session: the id of the run whose turn has no answer, because it failed or waits, on the marker that says so. */
  readonly failedRun?: string | undefined;
  /**
   * In a session: the id of the run, on each message that it adds after it was resumed. Readers of the session get these
   * messages instead of the marker.
   */
  readonly continues?: string | undefined;
  /**
   * In a session: the time at which the run of the message began, in milliseconds since the epoch. It is later than that
   * of each turn that the run had read. Readers get the turns in this order.
   */
  readonly askedAt?: number | undefined;
}

/** Instructions by the developer. */
export interface SystemMessage extends MessageBase {
  /** Always `system`. */
  readonly role: "system";
  /** Instructions for the model. */
  readonly content: string;
}

/** A user's message. Parts marked `untrusted` are not the user's own words. */
export interface UserMessage extends MessageBase {
  /** Always `user`. */
  readonly role: "user";
  /** Text, or parts such as text and images. */
  readonly content: string | readonly ContentPart[];
}

/** The model that made an assistant message; opaque vendor state is replayed only if all three match. */
export interface Provenance {
  /** Vendor, such as `openai`. */
  readonly provider: string;
  /** Wire, such as `responses` or `chat`. */
  readonly api: string;
  /** Model id as requested. */
  readonly model: string;
}

/** One answer of a model; its parts are in the order of their creation. */
export interface AssistantMessage extends MessageBase {
  /** Always `assistant`. */
  readonly role: "assistant";
  /** Parts of the answer in the model's order. */
  readonly content: readonly AssistantPart[];
  /** Tool calls of this answer. */
  readonly toolCalls: readonly ToolCall[];
  /** Reason why the model stopped. */
  readonly finishReason: FinishReason;
  /** The vendor's own value for why it stopped. */
  readonly rawFinishReason?: string | undefined;
  /** The model that wrote the answer. */
  readonly provenance: Provenance;
  /** Tokens of this model call. */
  readonly usage?: TokenUsage | undefined;
  /** Opaque vendor data of the whole message, such as a response id. */
  readonly providerState?: ProviderState | undefined;
  /** Set if the run ended before the model finished: only the parts that had arrived. */
  readonly partial?: boolean | undefined;
}

/** The result of one tool call. Exactly one exists per call. Only `toolCallId` and `content` are sent to the vendor. */
export interface ToolMessage extends MessageBase {
  /** Always `tool`. */
  readonly role: "tool";
  /** Id of the call that this result answers. */
  readonly toolCallId: string;
  /** Name of the tool. */
  readonly toolName: string;
  /** The result as the model reads it. */
  readonly content: string | readonly ContentPart[];
  /** True if the call failed. */
  readonly isError?: boolean | undefined;
  /**
   * Set when this answers a hosted tool's request for approval, whose `approvalRequestId` is then the `toolCallId`,
   * instead of a call.
   */
  readonly hostedApproval?: { readonly approved: boolean; readonly reason?: string | undefined } | undefined;
}

/** One entry of a conversation, discriminated by `role`. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** The general form of a message that users may pass and receive; see `toChatMessage`. */
export interface ChatMessage {
  /** The author of the message. */
  readonly role: "system" | "user" | "assistant" | "tool";
  /** `null` for assistant messages that hold only tool calls. */
  readonly content: string | readonly ContentPart[] | null;
  /** Calls that an assistant message asks for. */
  readonly toolCalls?: readonly ToolCall[] | undefined;
  /** Id of the call that a tool message answers. */
  readonly toolCallId?: string | undefined;
  /** Name of the tool that a tool message answers. */
  readonly name?: string | undefined;
}
