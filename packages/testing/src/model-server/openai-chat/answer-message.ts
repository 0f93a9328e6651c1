import { ScriptFaultError } from "../../script/script-error.ts";
import type {
  ResolvedPart,
  ResolvedReasoning,
  ResolvedRefusal,
  ResolvedText,
  ResolvedToolCall,
} from "../../script/resolved-turn.ts";
import type { JsonObject } from "../json.ts";
import type { Answer } from "../wire.ts";

/** A call with the id that it is sent with. */
interface IdentifiedCall {
  readonly call: ResolvedToolCall;
  readonly id: string;
}

/** A turn, sorted into the fields of a chat message: this wire has no order among them. */
export interface ChatContent {
  readonly texts: readonly ResolvedText[];
  readonly refusals: readonly ResolvedRefusal[];
  readonly reasoning: readonly ResolvedReasoning[];
  readonly calls: readonly IdentifiedCall[];
  readonly annotations: readonly JsonObject[];
}

/**
 * Sorts an answer's parts.
 *
 * @throws ScriptFaultError `SCRIPT_UNSUPPORTED` for files, raw items and redacted thinking, which a chat message has no place for.
 */
export function chatContent({ turn, ids }: Answer): ChatContent {
  for (const part of turn.parts) refuseUnsupported(part);
  const texts = turn.parts.filter((part) => part.type === "text");
  return {
    texts,
    refusals: turn.parts.filter((part) => part.type === "refusal"),
    reasoning: turn.parts.filter((part) => part.type === "reasoning"),
    calls: turn.parts
      .filter((part) => part.type === "tool_call")
      .map((call) => ({ call, id: call.id ?? ids.next("call_", 24) })),
    annotations: texts.flatMap((text) =>
      text.sources.map((source) => ({
        type: "url_citation",
        url_citation: {
          start_index: 0,
          end_index: text.text.length,
          title: source.title ?? source.url,
          url: source.url,
        },
      })),
    ),
  };
}

/** The vendor's stop value. */
export function chatFinishReason({ turn }: Answer): string {
  // A refusal by the model itself ends with "stop"; the filter's own stop has no refusal text.
  return (
    turn.step.rawFinish ??
    (turn.finish === "content_filter" && turn.parts.some((part) => part.type === "refusal") ? "stop" : turn.finish)
  );
}

/** The vendor's usage object. */
export function chatUsage({ usage }: Answer): JsonObject {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: { cached_tokens: usage.cachedTokens, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoningTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

function refuseUnsupported(part: ResolvedPart): void {
  const what =
    part.type === "file" || part.type === "raw"
      ? `a ${part.type} part`
      : part.type === "reasoning" && part.redacted !== undefined
        ? "redacted reasoning"
        : undefined;
  if (what !== undefined) {
    throw new ScriptFaultError(
      "SCRIPT_UNSUPPORTED",
      `Chat Completions has no place for ${what}: leave it out, or play this script on another wire.`,
    );
  }
}
