import {
  type EmitChunk,
  type EventMapper,
  eventJson,
  isJsonObject,
  ModelResponseError,
  strayError,
} from "@bailiwick/core/provider";
import type { ModelResponse, SourcePart } from "@bailiwick/core/provider";
import { embeddedError, errorIn, toModelError } from "../errors.ts";
import { emptyAnswer, takeChunk, type AnswerListener } from "./answer.ts";
import type { WirePart } from "./wire-part.ts";
import { isKnownPart, mediaOf, readCall } from "./parts.ts";
import { checkAnswer, readAnswer, type ReadContext } from "./response.ts";
import { readSources } from "./sources.ts";

/**
 * Maps the chunks of one streamed answer.
 *
 * @param read - The model, the request and its tools.
 * @param apiKey - The key, to keep it out of messages.
 */
export function generateMapper(read: ReadContext, apiKey: string | undefined): EventMapper {
  const { context, tools, request } = read;
  const answer = emptyAnswer();
  let sources: readonly SourcePart[] = [];

  const partialResponse = (): ModelResponse | undefined => {
    const nothing = answer.parts.length === 0 && answer.usage === undefined;
    return nothing ? undefined : readAnswer(answer, read, true);
  };
  const moment = () => ({ apiKey, partial: partialResponse() });

  const showPart = (part: WirePart, callId: string | undefined, emit: EmitChunk): void => {
    const { text } = part;
    if (typeof text === "string" && text !== "") {
      emit({ type: part["thought"] === true ? "thinking" : "text", text });
      return;
    }
    if (callId !== undefined) {
      const call = readCall(part, callId, tools);
      emit({ type: "tool_call_start", toolCall: { id: callId, name: call.name } });
      emit({ type: "tool_call_delta", toolCallId: callId, argumentsDelta: call.arguments });
      emit({ type: "tool_call_end", toolCallId: callId });
      return;
    }
    const file = mediaOf(part);
    if (file !== undefined) {
      emit({ type: "file", file });
    } else if (!isKnownPart(part)) {
      context.logger?.debug(`${context.modelId} sent a part that this version does not know.`, Object.keys(part));
    }
  };

  const showSources = (emit: EmitChunk): void => {
    const found = readSources(answer.metadata);
    for (const source of found.slice(sources.length)) emit({ type: "source", source });
    sources = found;
  };

  const finish = (emit: EmitChunk): void => {
    const response = readAnswer(answer, read);
    checkAnswer(response, answer, read);
    for (const warning of response.warnings) emit({ type: "warning", warning });
    emit({ type: "finish", finishReason: response.finishReason, usage: response.usage, response });
  };

  let show: EmitChunk = () => undefined;
  const listener: AnswerListener = {
    part: (part, callId) => showPart(part, callId, show),
    callBegins(part, callId) {
      show({ type: "tool_call_start", toolCall: { id: callId, name: readCall(part, callId, tools).name } });
    },
    callGrows: (argumentsDelta, callId) => show({ type: "tool_call_delta", toolCallId: callId, argumentsDelta }),
    callEnds: (callId) => show({ type: "tool_call_end", toolCallId: callId }),
    metadata: () => showSources(show),
  };

  return {
    event(data, emit) {
      // Additions of gateways: events that keep the connection alive, and the closing mark of another vendor.
      if (data.trim() === "" || data.trim() === "[DONE]") return false;
      const chunk = eventJson(data);
      if (request.includeRawEvents === true) emit({ type: "raw", event: chunk });
      if (!isJsonObject(chunk) || chunk["candidates"] === undefined) {
        const error = errorIn(chunk);
        if (error !== undefined) throw embeddedError(error, context, moment());
      }
      show = emit;
      if (isJsonObject(chunk)) takeChunk(answer, chunk, listener);
      return false;
    },
    end(stray, emit) {
      const error = strayError(stray);
      if (error !== undefined && error["candidates"] === undefined) throw embeddedError(error, context, moment());
      // This API has no closing event, and counts may follow the stop reason, so the end of the body is the end.
      if (answer.finishReason !== undefined || answer.blocked !== undefined) {
        finish(emit);
        return;
      }
      throw new ModelResponseError(`The stream of ${context.modelId} ended before the answer was complete.`, {
        provider: "google",
        model: context.modelId,
        retryable: true,
        partial: partialResponse(),
      });
    },
    failure: (error, aborted) => toModelError(error, context, { ...moment(), aborted, reason: request.signal?.reason }),
  };
}
