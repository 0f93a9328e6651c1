import { hexDigits } from "../../script/vendor-ids.ts";
import { ScriptFaultError } from "../../script/script-error.ts";
import { objectOf, textOf, type JsonObject } from "../json.ts";
import type { Answer } from "../wire.ts";
import { inputItems } from "./input-items.ts";
import { outputItems, type OutputItem } from "./output-items.ts";

/** An answer of the Responses wire, in both its states. */
export interface EncodedResponse {
  /** The item when the stream begins. */
  readonly started: JsonObject;
  /** The item at the end of the stream. */
  readonly finished: JsonObject;
  readonly items: readonly OutputItem[];
}

/** The JSON answer. */
export function encodeResponsesJson(answer: Answer): JsonObject {
  return encodeResponse(answer).finished;
}

/** Makes the answer and remembers the issued values. */
export function encodeResponse(answer: Answer): EncodedResponse {
  const { body, turn, usage } = answer;
  const includesReasoning = Array.isArray(body["include"]) && body["include"].includes("reasoning.encrypted_content");
  const items = outputItems(answer).map((output) => (includesReasoning ? output : withoutEncrypted(output)));
  const id = turn.step.responseId ?? answer.ids.next("resp_", 50, hexDigits);
  const started = responseObject(answer, id);
  const finished: JsonObject = {
    ...started,
    ...ending(answer),
    output: items.map(({ item }) => item),
    service_tier: "default",
    usage: {
      input_tokens: usage.promptTokens,
      input_tokens_details: {
        cached_tokens: usage.cachedTokens,
        ...(usage.cacheWriteTokens > 0 ? { cache_write_tokens: usage.cacheWriteTokens } : {}),
      },
      output_tokens: usage.completionTokens,
      output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
      total_tokens: usage.promptTokens + usage.completionTokens,
    },
  };
  remember(answer, id, items);
  return { started, finished, items };
}

function responseObject({ body, turn, request, createdAt }: Answer, id: string): JsonObject {
  const text = objectOf(body["text"]);
  return {
    id,
    object: "response",
    created_at: createdAt,
    status: "in_progress",
    background: false,
    error: null,
    incomplete_details: null,
    instructions: body["instructions"] ?? null,
    max_output_tokens: body["max_output_tokens"] ?? null,
    max_tool_calls: body["max_tool_calls"] ?? null,
    model: turn.step.model ?? request.model,
    output: [],
    parallel_tool_calls: body["parallel_tool_calls"] ?? true,
    previous_response_id: body["previous_response_id"] ?? null,
    prompt_cache_key: body["prompt_cache_key"] ?? null,
    prompt_cache_retention: body["prompt_cache_retention"] ?? null,
    reasoning: {
      effort: objectOf(body["reasoning"])["effort"] ?? null,
      summary: objectOf(body["reasoning"])["summary"] ?? null,
    },
    safety_identifier: body["safety_identifier"] ?? null,
    service_tier: "auto",
    store: body["store"] ?? true,
    temperature: body["temperature"] ?? 1,
    text: { format: text["format"] ?? { type: "text" }, verbosity: text["verbosity"] ?? "medium" },
    tool_choice: body["tool_choice"] ?? "auto",
    tools: body["tools"] ?? [],
    top_logprobs: 0,
    top_p: body["top_p"] ?? 1,
    truncation: body["truncation"] ?? "disabled",
    usage: null,
    user: body["user"] ?? null,
    metadata: body["metadata"] ?? {},
  };
}

function ending({ turn }: Answer): JsonObject {
  if (turn.step.rawFinish !== undefined) {
    throw new ScriptFaultError(
      "SCRIPT_UNSUPPORTED",
      `"rawFinish" has no place on the Responses wire, which tells the end by its status: use "finish".`,
    );
  }
  // A refusal completes: only a filter outside the model makes an answer incomplete.
  const filtered = turn.finish === "content_filter" && !turn.parts.some((part) => part.type === "refusal");
  if (turn.finish === "length") return { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
  return filtered
    ? { status: "incomplete", incomplete_details: { reason: "content_filter" } }
    : { status: "completed" };
}

function withoutEncrypted(output: OutputItem): OutputItem {
  if (output.part?.type !== "reasoning") return output;
  const { encrypted_content: _hidden, ...item } = output.item;
  return { ...output, item };
}

function remember({ body, memory }: Answer, responseId: string, items: readonly OutputItem[]): void {
  const stored = body["store"] !== false;
  let reasoningId: string | undefined;
  items.forEach(({ item }, index) => {
    const id = textOf(item["id"]);
    const isReasoning = item["type"] === "reasoning";
    const followerId = isReasoning ? textOf(items[index + 1]?.item["id"]) || undefined : undefined;
    memory.items.set(id, { item, stored, reasoningId: isReasoning ? undefined : reasoningId, followerId });
    if (isReasoning) reasoningId = id;
  });
  if (stored)
    memory.responses.set(responseId, { input: [...inputItems(body, memory), ...items.map(({ item }) => item)] });
}
