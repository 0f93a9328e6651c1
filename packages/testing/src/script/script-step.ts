import type { ScriptFaults } from "./script-faults.ts";
import type { ScriptPart, ScriptReasoning, ScriptSource, ScriptFile, ScriptToolCall } from "./script-part.ts";

/** The reason why the model stopped, in the framework's words. */
export type ScriptFinish = "stop" | "tool_calls" | "length" | "content_filter";

/** Token counts of one answer. Missing counts are computed from text lengths, the same for the same input. */
export interface ScriptUsage {
  /** Prompt tokens, cached ones included. */
  readonly inputTokens?: number | undefined;
  /** Answer tokens, reasoning included. */
  readonly outputTokens?: number | undefined;
  /** Part of `outputTokens` that was reasoning. */
  readonly reasoningTokens?: number | undefined;
  /** Part of `inputTokens` that was read from the vendor's cache. */
  readonly cachedTokens?: number | undefined;
  /** Part of `inputTokens` that was written to the vendor's cache (Anthropic and OpenAI Responses report it; other wires leave it out). */
  readonly cacheWriteTokens?: number | undefined;
}

/**
 * One answer of a scripted model: plain data, the same for every wire.
 *
 * Give the content in the short fields (`reasoning`, `text`, `refusal`, `files` and `toolCalls` appear in this order),
 * or in `parts` if the order matters; giving both throws `SCRIPT_INVALID`.
 */
export interface ScriptStep {
  /** The answer's text. */
  readonly text?: string | undefined;
  /** The chunks in which the text is streamed; joined they are the text. Without it text is split at words. */
  readonly deltas?: readonly string[] | undefined;
  /** The model's reasoning before the answer. */
  readonly reasoning?: string | ScriptReasoning | undefined;
  /** Tools that the model calls, in order. Several are parallel calls of one turn. */
  readonly toolCalls?: readonly ScriptToolCall[] | undefined;
  /** A refusal in the model's own text. The finish reason becomes `content_filter` if the vendor reports it. */
  readonly refusal?: string | undefined;
  /** Web pages that the text cites. */
  readonly sources?: readonly ScriptSource[] | undefined;
  /** Files that the model made, such as images. */
  readonly files?: readonly ScriptFile[] | undefined;
  /** Mixed content in a given order. */
  readonly parts?: readonly ScriptPart[] | undefined;
  /** Reason why the model stopped. Default: `tool_calls` with calls, `content_filter` with a refusal, else `stop`. */
  readonly finish?: ScriptFinish | undefined;
  /**
   * The vendor's own stop value, sent verbatim instead of the one for `finish` (`pause_turn`,
   * `MALFORMED_FUNCTION_CALL`, …).
   */
  readonly rawFinish?: string | undefined;
  /** Token counts; missing ones are computed. */
  readonly usage?: ScriptUsage | undefined;
  /** The answer's id. Default: made in the vendor's style. */
  readonly responseId?: string | undefined;
  /** The model name in the answer. Default: the one of the request. */
  readonly model?: string | undefined;
  /** Faults of this answer. */
  readonly faults?: ScriptFaults | undefined;
}
