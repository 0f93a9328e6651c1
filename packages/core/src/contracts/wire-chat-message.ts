/** A content part in the format of OpenAI Chat Completions. */
export type WireChatPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "refusal"; readonly refusal: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } }
  | { readonly type: "input_audio"; readonly input_audio: { readonly data: string; readonly format: string } }
  | {
      readonly type: "file";
      readonly file: { readonly file_data?: string | undefined; readonly filename?: string | undefined };
    };

/** A tool call in the format of OpenAI Chat Completions. */
export interface WireChatToolCall {
  /** Id of the call, which the message with the result repeats. */
  readonly id: string;
  /** Always `function`. */
  readonly type: "function";
  /** Name of the tool, and its arguments as JSON text. */
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A message in the format of OpenAI Chat Completions. */
export interface WireChatMessage {
  /** Author of the message. */
  readonly role: "system" | "developer" | "user" | "assistant" | "tool";
  /** Text or parts; `null` in an assistant message that only calls tools. */
  readonly content: string | readonly WireChatPart[] | null;
  /** Name of the author, to tell several apart. */
  readonly name?: string | undefined;
  /** The model's words if it refused to answer. */
  readonly refusal?: string | null | undefined;
  /** Tool calls of an assistant message. */
  readonly tool_calls?: readonly WireChatToolCall[] | undefined;
  /** In a message with the role `tool`, the id of the call that it answers. */
  readonly tool_call_id?: string | undefined;
}
