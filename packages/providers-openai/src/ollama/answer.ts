import { isJsonObject, jsonObjects, jsonText, responseOf } from "@bailiwick/core/provider";
import type { AssistantPart, ModelResponse, TokenUsage, ToolCall } from "@bailiwick/core/provider";
import type { WithHeaders } from "../client.ts";
import { embeddedError, errorIn, foreignAnswer } from "../errors.ts";
import type { ReadContext } from "../read-context.ts";
import { checkAnswer, finishOf } from "../chat/response.ts";
import { noUsage } from "../usage.ts";

type Fields = Readonly<Record<string, unknown>>;

/** An answer with its fields collected, from one body or from many lines. */
export interface OllamaAnswer {
  model: string | undefined;
  text: string;
  thinking: string;
  calls: ToolCall[];
  finishReason: string | undefined;
  /** The last line, which has the counts. */
  end: Fields;
}

/** An empty answer, before the first chunk. */
export function emptyAnswer(): OllamaAnswer {
  return { model: undefined, text: "", thinking: "", calls: [], finishReason: undefined, end: {} };
}

/** The pieces that one line adds. */
export interface OllamaPiece {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly ToolCall[];
}

/**
 * Adds a line to an answer.
 *
 * @param answer - The answer so far.
 * @param line - The line, or a whole body.
 * @param read - The request's tools.
 */
export function addLine(answer: OllamaAnswer, line: Fields, { tools }: ReadContext): OllamaPiece {
  const message = isJsonObject(line["message"]) ? line["message"] : {};
  const text = jsonText(message["content"]);
  const thinking = jsonText(message["thinking"]);
  const calls: ToolCall[] = [];
  for (const call of jsonObjects(message["tool_calls"])) {
    const called = isJsonObject(call["function"]) ? call["function"] : {};
    const name = tools.readName(jsonText(called["name"]));
    const { arguments: given = {} } = called;
    const written = typeof given === "string" ? given : JSON.stringify(given);
    const id = newId([...answer.calls, ...calls], jsonText(call["id"]));
    calls.push({ id, name, arguments: written, ...tools.readInput(name, written) });
  }
  answer.model ??= jsonText(line["model"]) || undefined;
  answer.text += text;
  answer.thinking += thinking;
  answer.calls.push(...calls);
  if (line["done"] === true) {
    answer.finishReason = jsonText(line["done_reason"]) || "stop";
    answer.end = line;
  }
  return { text, thinking, calls };
}

/** The call's id; older servers give none, and a repeated one would pair a result with two calls. */
function newId(calls: readonly ToolCall[], id: string): string {
  const isNew = id !== "" && !calls.some((call) => call.id === id);
  return isNew ? id : `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
}

/**
 * The answer of a model call.
 *
 * @param answer - Its fields.
 * @param read - The model and the request's tools.
 * @param partial - True if the answer was interrupted.
 */
export function readOllamaAnswer(
  answer: OllamaAnswer,
  { context, warnings }: ReadContext,
  partial = false,
): ModelResponse {
  const { text, thinking, calls, finishReason } = answer;
  const content: AssistantPart[] = [];
  if (thinking !== "") content.push({ type: "reasoning", text: thinking });
  if (text !== "") content.push({ type: "text", text });
  for (const { id } of calls) content.push({ type: "tool_call", toolCallId: id });
  return responseOf({
    responseId: undefined,
    responseModel: answer.model,
    content,
    toolCalls: calls,
    finishReason: finishOf({ finishReason, calls, refusal: "" }),
    rawFinishReason: finishReason,
    provenance: { provider: context.compat.provider, api: "native", model: context.modelId },
    usage: usageOf(answer.end),
    warnings,
    partial,
  });
}

/** Counts of the last line. Cached tokens are part of the prompt, and are not listed separately. */
function usageOf(end: Fields): TokenUsage {
  const { prompt_eval_count: prompt, eval_count: written } = end;
  if (typeof prompt !== "number" && typeof written !== "number") return noUsage;
  const inputTokens = typeof prompt === "number" ? prompt : 0;
  const outputTokens = typeof written === "number" ? written : 0;
  const { message: _message, ...counts } = end;
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, providerMetrics: counts };
}

/**
 * Reads the body of an answer that was not streamed.
 *
 * @throws ModelError if it is not an answer, or reports a failure.
 */
export function readOllamaBody(body: unknown, sent: WithHeaders, read: ReadContext): ModelResponse {
  const { context } = read;
  const failure = isJsonObject(body) ? errorIn(body) : undefined;
  if (failure !== undefined) throw embeddedError(failure, context, { headers: sent.headers });
  if (!isJsonObject(body) || !isJsonObject(body["message"])) {
    throw foreignAnswer(context, "a chat answer of Ollama: it has no message", body);
  }
  const answer = emptyAnswer();
  addLine(answer, body, read);
  const response = readOllamaAnswer(answer, read);
  checkAnswer(response, read);
  return { ...response, raw: body };
}
