import { eventJson, isJsonObject, strayError } from "@bailiwick/core/provider";
import type { EmitChunk, EventMapper, ModelResponse } from "@bailiwick/core/provider";
import { checkAnswer } from "../chat/response.ts";
import { cutStream, embeddedError, errorIn, toModelError } from "../errors.ts";
import type { ReadContext } from "../read-context.ts";
import { addLine, emptyAnswer, readOllamaAnswer } from "./answer.ts";

/**
 * Maps the lines of one streamed answer.
 *
 * @param read - The model, the request and its tools.
 * @param apiKey - The key, to keep it out of messages.
 */
export function ollamaMapper(read: ReadContext, apiKey: string | undefined): EventMapper {
  const { context, request } = read;
  const answer = emptyAnswer();
  let shown = false;

  const partialResponse = (): ModelResponse | undefined => (shown ? readOllamaAnswer(answer, read, true) : undefined);
  const moment = () => ({ apiKey, partial: partialResponse() });

  const show = (type: "text" | "thinking", text: string, emit: EmitChunk): void => {
    if (text === "") return;
    shown = true;
    emit({ type, text });
  };

  const finish = (emit: EmitChunk): void => {
    for (const { id } of answer.calls) emit({ type: "tool_call_end", toolCallId: id });
    const response = readOllamaAnswer(answer, read);
    checkAnswer(response, read);
    for (const warning of response.warnings) emit({ type: "warning", warning });
    emit({ type: "finish", finishReason: response.finishReason, usage: response.usage, response });
  };

  return {
    event(data, emit) {
      const line = eventJson(data);
      if (line === undefined) return false;
      if (request.includeRawEvents === true) emit({ type: "raw", event: line });
      if (!isJsonObject(line)) return false;
      const failure = errorIn(line);
      if (failure !== undefined) throw embeddedError(failure, context, moment());
      const { text, thinking, calls } = addLine(answer, line, read);
      show("thinking", thinking, emit);
      show("text", text, emit);
      for (const { id, name, arguments: written } of calls) {
        shown = true;
        emit({ type: "tool_call_start", toolCall: { id, name } });
        emit({ type: "tool_call_delta", toolCallId: id, argumentsDelta: written });
      }
      if (line["done"] !== true) return false;
      finish(emit);
      return true;
    },
    end(stray) {
      const error = strayError(stray);
      if (error !== undefined) throw embeddedError(error, context, moment());
      throw cutStream(context, { partial: partialResponse() });
    },
    failure: (error, aborted) => toModelError(error, context, { ...moment(), aborted, reason: request.signal?.reason }),
  };
}
