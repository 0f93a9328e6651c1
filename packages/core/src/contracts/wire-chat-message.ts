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
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A message in the format of OpenAI Chat Completions. */
export interface WireChatMessage {
  readonly role: "system" | "developer" | "user" | "assistant" | "tool";
  readonly content: string | readonly WireChatPart[] | null;
  readonly name?: string | undefined;
  readonly refusal?: string | null | undefined;
  readonly tool_calls?: readonly WireChatToolCall[] | undefined;
  readonly tool_call_id?: string | undefined;
}
