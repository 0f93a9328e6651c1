import { hexDigits } from "../../script/vendor-ids.ts";
import { ScriptFaultError } from "../../script/script-error.ts";
import { objectOf, textOf, type JsonObject } from "../json.ts";
import type { Answer } from "../wire.ts";
import { inputItems } from "./input-items.ts";
import { outputItems, type OutputItem } from "./output-items.ts";

/** An answer in the Responses format: at the beginning and at the end of its stream. */
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
      input_tokens: usage.inputTokens,
      input_tokens_details: {
        cached_tokens: usage.cachedTokens,
        ...(usage.cacheWriteTokens > 0 ? { cache_write_tokens: usage.cacheWriteTokens } : {}),
      },
      output_tokens: usage.outputTokens,
      output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
      total_tokens: usage.inputTokens + usage.outputTokens,
    },
  };
  remember(answer, id, items);
  return { started, finished, items };
}

/** Fields of a request that its answer repeats, with their defaults. */
const repeated: Readonly<Record<string, JsonObject[string]>> = {
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  prompt_cache_retention: null,
  safety_identifier: null,
  store: true,
  temperature: 1,
  tool_choice: "auto",
  tools: [],
  top_p: 1,
  truncation: "disabled",
  user: null,
  metadata: {},
};

function responseObject({ body, turn, request, createdAt }: Answer, id: string): JsonObject {
  const text = objectOf(body["text"]);
  return {
    ...Object.fromEntries(Object.entries(repeated).map(([name, value]) => [name, body[name] ?? value])),
    id,
    object: "response",
    created_at: createdAt,
    status: "in_progress",
    background: false,
    error: null,
    incomplete_details: null,
    model: turn.step.model ?? request.model,
    output: [],
    reasoning: {
      effort: objectOf(body["reasoning"])["effort"] ?? null,
      summary: objectOf(body["reasoning"])["summary"] ?? null,
    },
    service_tier: "auto",
    text: { format: text["format"] ?? { type: "text" }, verbosity: text["verbosity"] ?? "medium" },
    top_logprobs: 0,
    usage: null,
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
