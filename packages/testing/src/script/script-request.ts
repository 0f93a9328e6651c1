/** Origin of the request: one of the vendors' wires, or a direct call in process. */
export type ScriptWire =
  | "openai-responses"
  | "openai-chat"
  | "anthropic-messages"
  | "google-generate"
  | "ollama-chat"
  | "in-process";

/** A tool call that an assistant message of the request holds. */
export interface ScriptRequestToolCall {
  /** Id of the call. */
  readonly id: string;
  /** Name of the tool. */
  readonly name: string;
  /** The raw arguments text. */
  readonly arguments: string;
}

/** A tool's result as the model sees it. */
export interface ScriptRequestToolResult {
  /** Id of the call that the result belongs to. */
  readonly toolCallId: string;
  /** The tool's name: from the result, or from the call that it answers. */
  readonly toolName: string;
  /** The result's text; JSON if the wire carries JSON. */
  readonly text: string;
  /** True if the wire marked it as an error (only Anthropic and Gemini can). */
  readonly isError: boolean;
}

/** A message of the request. Each tool result is its own message, even if the wire groups them. */
export interface ScriptMessage {
  /** The author of the message. */
  readonly role: "system" | "user" | "assistant" | "tool";
  /** All text parts, joined with newlines. */
  readonly text: string;
  /** Number of images. */
  readonly images: number;
  /** Number of files other than images. */
  readonly files: number;
  /** Thinking that was sent back, readable part only. */
  readonly reasoning?: string | undefined;
  /** Calls that an assistant message made. */
  readonly toolCalls: readonly ScriptRequestToolCall[];
  /** The result that a tool message carries. */
  readonly toolResult?: ScriptRequestToolResult | undefined;
}

/** A tool that the model may call. */
export interface ScriptRequestTool {
  /** Name of the tool. */
  readonly name: string;
  /** Description that the model reads. */
  readonly description?: string | undefined;
  /** JSON Schema of its arguments. Absent for hosted and free-text tools. */
  readonly schema?: Readonly<Record<string, unknown>> | undefined;
  /** True if the request asks for strict arguments. */
  readonly strict?: boolean | undefined;
  /** The vendor's own type for hosted tools (`web_search`, …), else `function`. */
  readonly type: string;
}

/** A request to a model, without a vendor's shape: script functions decide by it. */
export interface ScriptRequest {
  /** The vendor's API that the request is for. */
  readonly wire: ScriptWire;
  /** Id of the model. */
  readonly model: string;
  /** Instructions: the system prompt and system or developer messages before the first user message, joined. */
  readonly system: string;
  /** Messages of the request, in order. */
  readonly messages: readonly ScriptMessage[];
  /** Tools that the model may call. */
  readonly tools: readonly ScriptRequestTool[];
  /** The tool choice of the request. */
  readonly toolChoice: "auto" | "none" | "required" | { readonly toolName: string };
  /** The JSON Schema that the answer must follow, if the request sets one. */
  readonly outputSchema?: Readonly<Record<string, unknown>> | undefined;
  /** True if the client asked for a stream. */
  readonly stream: boolean;
  /** Maximum number of tokens of the answer, if the request sets it. */
  readonly maxTokens?: number | undefined;
  /** Temperature, if the request sets it. */
  readonly temperature?: number | undefined;
  /** Number of requests that this script answered before. */
  readonly turn: number;
  /** Text of the last user message; empty without one. */
  readonly lastUserText: string;
  /** Results after the last assistant message: the input of this turn. */
  readonly toolResults: readonly ScriptRequestToolResult[];
  /** The original body of the wire. */
  readonly raw: unknown;
}
