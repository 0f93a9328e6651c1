import {
  type EmitChunk,
  type EventMapper,
  eventJson,
  isJsonObject,
  jsonText,
  ModelResponseError,
  strayError,
} from "@bailiwick/core/provider";
import type { FailureMoment, ModelRequest, ModelResponse } from "@bailiwick/core/provider";
import { embeddedError, toModelError } from "../errors.ts";
import type { ModelContext } from "../model-context.ts";
import { correctUsage } from "../usage.ts";
import type { Exchange } from "./exchange.ts";
import { madeFiles, readSource } from "./parts.ts";
import { checkResponse, readResponse, type MessageObject, type ReadContext } from "./response.ts";
import { addDelta, callText, Slots, type Slot } from "./slots.ts";

type Event = Readonly<Record<string, unknown>>;

/** Reads the events of a streamed answer, including those of the requests that continue it. */
export interface MessagesMapper extends EventMapper {
  /** The blocks so far, if the answer paused and will be continued. */
  paused(): readonly MessageObject[] | undefined;
}

/**
 * Maps the events of one streamed answer.
 *
 * @param exchange - The request.
 * @param request - Raw events, signal.
 * @param context - The model.
 * @param apiKey - The key, to keep it out of messages.
 */
export function messagesMapper(
  exchange: Exchange,
  request: ModelRequest,
  context: ModelContext,
  apiKey: string | undefined,
): MessagesMapper {
  const before: MessageObject[] = [];
  let slots = new Slots();
  let head: Record<string, unknown> = {};
  let usage: unknown;
  let stop: Event = {};
  let pausing = false;

  const current = (): MessageObject => ({
    id: head["id"],
    model: head["model"],
    blocks: slots.blocks(),
    usage,
    stopReason: stop["stop_reason"],
    stopDetails: stop["stop_details"],
    container: stop["container"] ?? head["container"],
  });
  const messages = (): readonly MessageObject[] => (pausing ? before : [...before, current()]);
  const read = (): ReadContext => ({
    context,
    tools: exchange.built().tools,
    warnings: exchange.built().warnings,
    request,
  });
  const partial = (): ModelResponse | undefined => {
    const arrived = messages();
    const nothing = arrived.every((message) => message.blocks.length === 0 && message.usage === undefined);
    return nothing ? undefined : readResponse(arrived, read(), true);
  };
  const moment = (): FailureMoment => ({ apiKey, partial: partial() });

  const begin = (event: Event, emit: EmitChunk): void => {
    const slot = slots.begin(event);
    if (slot === undefined) return;
    const { block } = slot;
    if (block["type"] === "tool_use") {
      const name = exchange.built().tools.readName(jsonText(block["name"]));
      emit({ type: "tool_call_start", toolCall: { id: jsonText(block["id"]), name } });
    } else {
      // Some servers put the content of deltas into the start event.
      tell("text", jsonText(block["type"] === "text" ? block["text"] : ""), emit);
      tell("thinking", jsonText(block["type"] === "thinking" ? block["thinking"] : ""), emit);
      if (Array.isArray(block["citations"])) for (const citation of block["citations"]) cite(citation, emit);
    }
  };

  const tell = (type: "text" | "thinking", text: string, emit: EmitChunk): void => {
    if (text !== "") emit({ type, text });
  };

  const cite = (citation: unknown, emit: EmitChunk): void => {
    if (isJsonObject(citation)) emit({ type: "source", source: readSource(citation) });
  };

  const delta = (event: Event, emit: EmitChunk): void => {
    const given = isJsonObject(event["delta"]) ? event["delta"] : {};
    const type = jsonText(given["type"]);
    const slot = slots.at(event, type === "thinking_delta" || type === "signature_delta" ? "thinking" : "text");
    addDelta(slot, given);
    switch (type) {
      case "text_delta":
        tell("text", jsonText(given["text"]), emit);
        return;
      case "thinking_delta":
        tell("thinking", jsonText(given["thinking"]), emit);
        return;
      case "citations_delta":
        cite(given["citation"], emit);
        return;
      case "input_json_delta": {
        const text = jsonText(given["partial_json"]);
        if (text === "" || slot.block["type"] !== "tool_use") return;
        emit({ type: "tool_call_delta", toolCallId: jsonText(slot.block["id"]), argumentsDelta: text });
        return;
      }
      case "signature_delta":
        return;
      default:
        context.logger?.debug("A delta of the Messages API is not known and was kept as it is.", { type });
    }
  };

  const end = (slot: Slot, emit: EmitChunk): void => {
    const { block, inputText } = slot;
    if (block["type"] === "tool_use") {
      const toolCallId = jsonText(block["id"]);
      // A call without arguments has no deltas, and some servers give its input at the beginning.
      if (inputText === "") emit({ type: "tool_call_delta", toolCallId, argumentsDelta: callText(block, "") });
      emit({ type: "tool_call_end", toolCallId });
      return;
    }
    const made = [...madeFiles(block), ...madeFiles(block["content"])];
    for (const file of made) emit({ type: "file", file });
  };

  const finish = (emit: EmitChunk): boolean => {
    for (const slot of slots.open()) {
      slot.done = true;
      end(slot, emit);
    }
    if (exchange.pauses(messages())) {
      before.push(current());
      pausing = true;
      return false;
    }
    const response = readResponse(messages(), read());
    checkResponse(response, messages().at(-1), read());
    for (const warning of response.warnings) emit({ type: "warning", warning });
    emit({ type: "finish", finishReason: response.finishReason, usage: response.usage, response });
    return true;
  };

  /** Emits the calls that the vendor's own code made before the answer began; they are whole in its head. */
  const beginWith = (content: unknown, emit: EmitChunk): void => {
    for (const [index, block] of (Array.isArray(content) ? content : []).entries()) {
      begin({ index, content_block: block as unknown }, emit);
      const slot = slots.end({ index });
      if (slot !== undefined) end(slot, emit);
    }
  };

  const start = (event: Event, emit: EmitChunk): void => {
    const message = isJsonObject(event["message"]) ? event["message"] : {};
    if (pausing) {
      slots = new Slots();
      [head, usage, stop, pausing] = [{}, undefined, {}, false];
    }
    // A second start event has no new content; the received blocks stay.
    if (Object.keys(head).length === 0) beginWith(message["content"], emit);
    head = { ...message, ...head };
    usage = usage === undefined ? message["usage"] : correctUsage(message["usage"], usage);
  };

  return {
    paused: () => (pausing ? before : undefined),
    event(data, emit) {
      if (data === "" || data === "[DONE]") return false;
      const parsed = eventJson(data);
      if (request.includeRawEvents === true) emit({ type: "raw", event: parsed });
      if (!isJsonObject(parsed)) return false;
      switch (parsed["type"]) {
        case "content_block_delta":
          delta(parsed, emit);
          return false;
        case "content_block_start":
          begin(parsed, emit);
          return false;
        case "content_block_stop": {
          const slot = slots.end(parsed);
          if (slot !== undefined) end(slot, emit);
          return false;
        }
        case "message_start":
          start(parsed, emit);
          return false;
        case "message_delta":
          if (isJsonObject(parsed["delta"])) stop = { ...stop, ...parsed["delta"] };
          usage = correctUsage(usage, parsed["usage"]);
          return false;
        case "message_stop":
          return finish(emit);
        case "error":
          throw embeddedError(parsed, context, moment());
        case "ping":
          return false;
        default:
          if (parsed["type"] === undefined && isJsonObject(parsed["error"]))
            throw embeddedError(parsed, context, moment());
          context.logger?.debug("An event of the Messages API is not known and was ignored.", { type: parsed["type"] });
          return false;
      }
    },
    end(stray, emit) {
      const error = strayError(stray);
      if (error !== undefined) throw embeddedError({ error }, context, moment());
      // The answer is complete once its stop reason is known; only the closing event is missing.
      if (typeof stop["stop_reason"] === "string" && !pausing && finish(emit)) return;
      throw new ModelResponseError(`The stream of ${context.modelId} ended before the answer was complete.`, {
        provider: "anthropic",
        model: context.modelId,
        retryable: true,
        partial: partial(),
      });
    },
    failure: (error, aborted) => toModelError(error, context, { ...moment(), aborted, reason: request.signal?.reason }),
  };
}
