import {
  type EmitChunk,
  type EventMapper,
  eventJson,
  filledObject,
  isJsonObject,
  jsonObjects,
  jsonText,
  strayError,
} from "@bailiwick/core/provider";
import type { ModelResponse } from "@bailiwick/core/provider";
import { cutStream, embeddedError, errorIn, toModelError, type ErrorObject } from "../errors.ts";
import { CallDeltas } from "./call-deltas.ts";
import { callsOf, emptyAnswer, extraOf, readReasoning, splitContent } from "./chat-answer.ts";
import { readCitations, readExecutedTools, readImages, readReferences } from "./gateway-extras.ts";
import { addDetail } from "./reasoning-details.ts";
import type { ReadContext } from "../read-context.ts";
import { checkAnswer, finishOf, readAnswer, readSource } from "./response.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Maps the chunks of one streamed answer.
 *
 * @param read - The model, the request and its tools.
 * @param apiKey - The key, to keep it out of messages.
 */
export function chatMapper(read: ReadContext, apiKey: string | undefined): EventMapper {
  const { context, request } = read;
  const answer = emptyAnswer();
  const deltas = new CallDeltas(read.tools.readName);
  let shown = false;

  const partialResponse = (): ModelResponse | undefined => {
    answer.calls = deltas.calls();
    const nothing = !shown && !deltas.shown && answer.usage == null;
    return nothing ? undefined : readAnswer(answer, read, true);
  };
  const moment = () => ({ apiKey, partial: partialResponse() });

  const show = (type: "text" | "thinking", text: string, emit: EmitChunk): void => {
    if (text === "") return;
    shown = true;
    emit({ type, text });
  };

  const takeDelta = (delta: Fields, emit: EmitChunk): void => {
    const { content } = delta;
    if (isReasoned(delta)) takeReasoning(delta, emit);
    if (typeof content === "string") {
      answer.text += content;
      show("text", content, emit);
    } else if (content != null) {
      const { text, thinking } = splitContent(content);
      answer.reasoning += thinking;
      answer.text += text;
      show("thinking", thinking, emit);
      show("text", text, emit);
      takeImages(content, emit);
      for (const source of readReferences(content)) {
        answer.references.push(source);
        emit({ type: "source", source });
      }
    }
    if (typeof delta["refusal"] === "string") {
      answer.refusal += delta["refusal"];
      show("text", delta["refusal"], emit);
    }
    answer.extra = extraOf(delta) ?? answer.extra;
    if (delta["audio"] !== undefined) takeAudio(delta["audio"], emit);
    if (delta["images"] !== undefined) takeImages(delta["images"], emit);
    if (delta["executed_tools"] !== undefined)
      answer.hosted = [...readExecutedTools(delta["executed_tools"], answer.hosted)];
    if (delta["annotations"] !== undefined) takeAnnotations(delta["annotations"], emit);
    for (const call of callsOf(delta)) deltas.take(call, emit);
  };

  const takeReasoning = (delta: Fields, emit: EmitChunk): void => {
    const { text, field, details } = readReasoning(delta);
    for (const detail of details) addDetail(answer.reasoningDetails, detail);
    answer.reasoningField ??= field;
    answer.reasoning += text;
    show("thinking", text, emit);
  };

  const takeImages = (images: unknown, emit: EmitChunk): void => {
    for (const image of readImages(images)) {
      answer.images.push(image);
      shown = true;
      emit({ type: "file", file: image });
    }
  };

  /** Each chunk repeats the citations so far. */
  const takeCitations = (chunk: Fields, emit: EmitChunk): void => {
    for (const source of readCitations(chunk).slice(answer.citations.length)) {
      answer.citations.push(source);
      emit({ type: "source", source });
    }
  };

  const takeAnnotations = (annotations: unknown, emit: EmitChunk): void => {
    for (const annotation of jsonObjects(annotations)) {
      answer.annotations.push(annotation);
      const source = readSource(annotation);
      if (source !== undefined) emit({ type: "source", source });
    }
  };

  const takeAudio = (given: unknown, emit: EmitChunk): void => {
    const audio = filledObject(given);
    if (audio === undefined) return;
    const spoken = (answer.audio ??= { id: "", data: "", transcript: "" });
    spoken.id ||= jsonText(audio["id"]);
    spoken.data += jsonText(audio["data"]);
    spoken.transcript += jsonText(audio["transcript"]);
    show("text", jsonText(audio["transcript"]), emit);
  };

  const finish = (emit: EmitChunk): void => {
    answer.calls = deltas.calls();
    deltas.end(emit);
    const response = readAnswer(answer, read);
    checkAnswer(response, read);
    for (const part of response.message.content) if (part.type === "audio") emit({ type: "file", file: part });
    for (const warning of response.warnings) emit({ type: "warning", warning });
    emit({ type: "finish", finishReason: response.finishReason, usage: response.usage, response });
  };

  /**
   * An error after the stop reason does not invalidate a complete answer: OpenRouter adds one to a truncated answer.
   */
  const fail = (failure: ErrorObject): void => {
    const known = answer.finishReason !== undefined && finishOf({ ...answer, calls: deltas.calls() }) !== "error";
    if (!known) throw embeddedError(failure, context, moment());
    answer.lateError = embeddedError(failure, context, moment()).message;
  };

  const takeHead = (chunk: Fields, ownWords: Fields, choice: unknown): void => {
    answer.id ??= jsonText(chunk["id"]) || undefined;
    answer.model ??= jsonText(chunk["model"]) || undefined;
    // Some servers only report usage in the last chunk, others in each: the last one counts.
    const usage = chunk["usage"] ?? ownWords["usage"] ?? (isJsonObject(choice) ? choice["usage"] : undefined);
    if (usage != null) answer.usage = usage;
    answer.tier = chunk["service_tier"] ?? answer.tier;
  };

  const mapper: EventMapper = {
    event(data, emit) {
      // Some servers keep the connection alive with empty events.
      if (data.trim() === "") return false;
      if (data.trim() === "[DONE]") {
        finish(emit);
        return true;
      }
      const chunk = eventJson(data);
      if (request.includeRawEvents === true) emit({ type: "raw", event: chunk });
      if (!isJsonObject(chunk)) return false;
      const ownWords = isJsonObject(chunk["x_groq"]) ? chunk["x_groq"] : {};
      const choices = jsonObjects(chunk["choices"]);
      const choice = choices.find(({ index }) => !index);
      answer.more ||= choices.some(({ index }) => index);
      takeHead(chunk, ownWords, choice);
      const failure = errorIn(chunk) ?? errorIn(ownWords);
      if (failure !== undefined) {
        fail(failure);
        return false;
      }
      takeCitations(chunk, emit);
      if (!isJsonObject(choice)) return false;
      const broken = errorIn(choice);
      if (broken !== undefined) throw embeddedError(broken, context, moment());
      if (isJsonObject(choice["delta"])) takeDelta(choice["delta"], emit);
      // A server that does not stream sends the whole message; others repeat it at the end.
      else if (isJsonObject(choice["message"]) && !shown && !deltas.shown) takeDelta(choice["message"], emit);
      const reason = jsonText(choice["finish_reason"]);
      if (reason !== "") answer.finishReason = reason;
      return false;
    },
    end(stray, emit) {
      // A server that ignores "stream" answers with one body.
      if (stray.startsWith("{") && /"choices"\s*:/.test(stray)) mapper.event(stray, emit);
      const error = answer.finishReason === undefined ? strayError(stray) : undefined;
      if (error !== undefined) throw embeddedError(error, context, moment());
      // Some servers omit the closing event; the stop reason is enough.
      if (answer.finishReason !== undefined) {
        finish(emit);
        return;
      }
      throw cutStream(context, { partial: partialResponse() });
    },
    failure: (error, aborted) => toModelError(error, context, { ...moment(), aborted, reason: request.signal?.reason }),
  };
  return mapper;
}

function isReasoned(delta: Fields): boolean {
  return (
    delta["reasoning_content"] !== undefined ||
    delta["reasoning"] !== undefined ||
    delta["reasoning_details"] !== undefined
  );
}
