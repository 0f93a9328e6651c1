/** One piece of text. */
export interface ScriptTextPart {
  /** Always `text`. */
  readonly type: "text";
  /** Text of the model. */
  readonly text: string;
  /** The chunks in which it is streamed; joined they must be `text`. */
  readonly deltas?: readonly string[] | undefined;
  /** Pages that this text cites. */
  readonly sources?: readonly ScriptSource[] | undefined;
  /** OpenAI Responses only: commentary on the work so far, or the answer. Other wires send plain text. */
  readonly phase?: "commentary" | "final_answer" | undefined;
  /** Gemini only: a thought signature on this text part. Other wires send plain text. */
  readonly signature?: string | undefined;
}

/** Thinking, with the opaque state that a vendor requires back. */
export interface ScriptReasoning {
  /** The thinking, or its summary. Empty if the vendor shows none. */
  readonly text?: string | undefined;
  /** Several summary parts of one reasoning item (OpenAI); joined with blank lines on other wires. */
  readonly summaryParts?: readonly string[] | undefined;
  /**
   * Opaque state: Anthropic's `signature`, OpenAI's `encrypted_content`, Gemini's `thoughtSignature`.
   * Default: made and verified by the server.
   */
  readonly signature?: string | undefined;
  /** Anthropic only: the block is sent as `redacted_thinking` with this data. Other wires throw `SCRIPT_UNSUPPORTED`. */
  readonly redacted?: string | undefined;
}

/** Thinking as a part. */
export interface ScriptReasoningPart extends ScriptReasoning {
  /** Always `reasoning`. */
  readonly type: "reasoning";
}

/** A call of one of the request's tools. */
export interface ScriptToolCall {
  /** The tool's name. Not checked against the request's tools: a model may invent one. */
  readonly name: string;
  /**
   * The arguments: a JSON value, or the raw text the model wrote, kept verbatim (it may be invalid JSON).
   * Gemini and Anthropic's JSON answers carry parsed arguments, so raw text must be a JSON object there.
   * Default: `{}`.
   */
  readonly arguments?: object | string | undefined;
  /** The call's id. Default: made in the vendor's style. */
  readonly id?: string | undefined;
  /** The chunks in which the arguments' text is streamed; joined they are that text. */
  readonly deltas?: readonly string[] | undefined;
  /** Gemini only: the call's thought signature. Default: one on the first call of each step, as Gemini 3 does. */
  readonly signature?: string | undefined;
  /** OpenAI Responses only: a call of a custom (free text) tool; `arguments` is its input text. */
  readonly custom?: boolean | undefined;
}

/** A tool call as a part. */
export interface ScriptToolCallPart extends ScriptToolCall {
  /** Always `tool_call`. */
  readonly type: "tool_call";
}

/** A refusal in the model's words. */
export interface ScriptRefusalPart {
  /** Always `refusal`. */
  readonly type: "refusal";
  /** Text of the refusal. */
  readonly text: string;
}

/** A web page that the answer cites. */
export interface ScriptSource {
  /** Address of the source. */
  readonly url: string;
  /** Title of the source. */
  readonly title?: string | undefined;
}

/** A file that the model made. */
export interface ScriptFile {
  /** MIME type, such as `image/png`. */
  readonly mediaType: string;
  /** Content, base64. */
  readonly data: string;
}

/** A file as a part. */
export interface ScriptFilePart extends ScriptFile {
  /** Always `file`. */
  readonly type: "file";
}

/**
 * Content in a vendor's own shape, sent verbatim: an output item (Responses), a content block (Anthropic) or a part
 * (Gemini). The way to script hosted tools. Chat Completions has no such place and throws `SCRIPT_UNSUPPORTED`.
 */
export interface ScriptRawPart {
  /** Always `raw`. */
  readonly type: "raw";
  /** The part in the vendor's own form. */
  readonly value: Readonly<Record<string, unknown>>;
}

/** One piece of an answer, when order matters. */
export type ScriptPart =
  | ScriptTextPart
  | ScriptReasoningPart
  | ScriptToolCallPart
  | ScriptRefusalPart
  | ScriptFilePart
  | ScriptRawPart;
