import {
  type EmitChunk,
  type EventMapper,
  eventJson,
  isJsonObject,
  jsonObjects,
  jsonText,
  strayError,
} from "@bailiwick/core/provider";
import type { ModelResponse, StreamChunk } from "@bailiwick/core/provider";
import { cutStream, embeddedError, toModelError } from "../errors.ts";
import type { ReadContext } from "../read-context.ts";
import type { OutputItem } from "./items.ts";
import { imagePart, isHostedCall, readSource } from "./parts.ts";
import { checkResponse, readResponse, type ResponseObject } from "./response.ts";
import { appendEntry, Slots, type Slot } from "./slots.ts";
import { streamedCalls, writtenArguments } from "./streamed-calls.ts";
import {
  entriesOf,
  newReasoning,
  newRefusal,
  newSummary,
  newText,
  thoughtText,
  writtenText,
} from "./written-content.ts";

type Event = Readonly<Record<string, unknown>>;

/** Progress events whose content is repeated by other events. */
const progress =
  /^response\.(created|in_progress|queued|content_part\.|output_text\.done|refusal\.done|reasoning_|function_call_arguments\.done|custom_tool_call_input\.done|[a-z_]+_call[._]|mcp_|image_generation|audio|code_interpreter|keepalive)|^keepalive$|^ping$/;

/**
 * Maps the events of one streamed answer.
 *
 * @param read - The model, the request and its tools.
 * @param apiKey - The key, to keep it out of messages.
 */
export function responsesMapper(read: ReadContext, apiKey: string | undefined): EventMapper {
  const { context, tools, request } = read;
  const slots = new Slots();
  let answer: ResponseObject = {};
  const calls = streamedCalls(tools);

  const moment = () => ({ apiKey, partial: partialResponse() });
  const partialResponse = (): ModelResponse | undefined =>
    slots.items().length === 0 && answer["usage"] == null ? undefined : readResponse(answer, slots.items(), read, true);

  const itemDone = (event: Event, emit: EmitChunk): void => {
    const before = isJsonObject(event["item"]) ? slots.at(event, jsonText(event["item"]["type"])) : undefined;
    if (before === undefined || before.done) return;
    const written = writtenArguments(before);
    const streamed = entriesOf(before.item["content"]).map(writtenText);
    const thought = thoughtText(before.item);
    const slot = slots.set(event, true);
    if (slot === undefined) return;
    switch (slot.item["type"]) {
      case "reasoning":
        showMissing(thought, thoughtText(slot.item), (text) => emit({ type: "thinking", text }));
        return;
      case "function_call":
      case "custom_tool_call":
        if (!isHostedCall(slot.item, tools)) calls.end(slot, written, emit);
        return;
      case "message":
        for (const [index, content] of entriesOf(slot.item["content"]).entries())
          showMissing(streamed[index] ?? "", writtenText(content), (text) => emit(textChunk(slot, text)));
        return;
      case "image_generation_call":
        if (typeof slot.item["result"] !== "string") return;
        emit({
          type: "file",
          file: imagePart(slot.item as OutputItem, { id: jsonText(slot.item["id"]) || undefined }),
        });
    }
  };

  /** Some gateways omit deltas and send the whole text at the end. */
  const showMissing = (before: string, whole: string, show: (text: string) => void): void => {
    if (whole.length <= before.length || !whole.startsWith(before)) return;
    show(whole.slice(before.length));
  };

  const finish = (event: Event, emit: EmitChunk): void => {
    answer = isJsonObject(event["response"]) ? event["response"] : answer;
    for (const missing of slots.missing(jsonObjects(answer["output"]) as readonly OutputItem[]))
      itemDone(missing, emit);
    for (const slot of slots.open()) if (calls.hasBegun(slot)) calls.end(slot, writtenArguments(slot), emit);
    const response = readResponse(answer, slots.items(), read);
    checkResponse(response, answer, read, { apiKey });
    for (const warning of response.warnings) emit({ type: "warning", warning });
    emit({ type: "finish", finishReason: response.finishReason, usage: response.usage, response });
  };

  const text = (slot: Slot, event: Event, kind: "output_text" | "refusal", emit: EmitChunk): void => {
    const delta = jsonText(event["delta"]);
    const [begin, field] = kind === "refusal" ? ([newRefusal, "refusal"] as const) : ([newText, "text"] as const);
    appendEntry(slot, "content", event["content_index"], begin, field, delta);
    if (delta === "") return;
    emit(kind === "refusal" ? { type: "text", text: delta } : textChunk(slot, delta));
  };

  const thinking = (slot: Slot, event: Event, list: "summary" | "content", emit: EmitChunk): void => {
    const delta = jsonText(event["delta"]);
    const index = event[list === "summary" ? "summary_index" : "content_index"];
    const entries = slot.item[list];
    const isNext = Array.isArray(entries) && typeof index === "number" && index > 0 && entries[index] === undefined;
    appendEntry(slot, list, index, list === "summary" ? newSummary : newReasoning, "text", delta);
    if (delta === "") return;
    emit({ type: "thinking", text: isNext ? `\n\n${delta}` : delta });
  };

  const annotation = (slot: Slot, event: Event, emit: EmitChunk): void => {
    if (!isJsonObject(event["annotation"])) return;
    const entry = appendEntry(slot, "content", event["content_index"], newText, "text", "");
    // Some servers begin a text without the list.
    if (Array.isArray(entry["annotations"])) entry["annotations"].push(event["annotation"]);
    else entry["annotations"] = [event["annotation"]];
    const source = readSource(event["annotation"]);
    if (source !== undefined) emit({ type: "source", source });
  };

  return {
    event(data, emit) {
      if (data === "" || data === "[DONE]") return false;
      const parsed = eventJson(data);
      if (request.includeRawEvents === true) emit({ type: "raw", event: parsed });
      if (!isJsonObject(parsed)) return false;
      const type = jsonText(parsed["type"]);
      switch (type) {
        case "response.output_text.delta":
          text(slots.at(parsed, "message"), parsed, "output_text", emit);
          return false;
        case "response.refusal.delta":
          text(slots.at(parsed, "message"), parsed, "refusal", emit);
          return false;
        case "response.reasoning_summary_text.delta":
          thinking(slots.at(parsed, "reasoning"), parsed, "summary", emit);
          return false;
        case "response.reasoning_text.delta":
          thinking(slots.at(parsed, "reasoning"), parsed, "content", emit);
          return false;
        case "response.function_call_arguments.delta":
          calls.add(slots.at(parsed, "function_call"), "arguments", jsonText(parsed["delta"]), emit);
          return false;
        case "response.custom_tool_call_input.delta":
          calls.add(slots.at(parsed, "custom_tool_call"), "input", jsonText(parsed["delta"]), emit);
          return false;
        case "response.output_text.annotation.added":
          annotation(slots.at(parsed, "message"), parsed, emit);
          return false;
        case "response.output_item.added": {
          const slot = slots.set(parsed, false);
          if (slot?.item["type"] === "function_call" || slot?.item["type"] === "custom_tool_call")
            calls.begin(slot, emit);
          return false;
        }
        case "response.output_item.done":
          itemDone(parsed, emit);
          return false;
        case "response.completed":
        case "response.done":
        case "response.incomplete":
        case "response.failed":
        case "response.cancelled":
          finish(parsed, emit);
          return true;
        case "error": {
          const error = isJsonObject(parsed["error"]) ? parsed["error"] : parsed;
          throw embeddedError(error === parsed ? { ...parsed, type: parsed["error_type"] } : error, context, moment());
        }
        case "response.created":
        case "response.in_progress":
          answer = isJsonObject(parsed["response"]) ? parsed["response"] : answer;
          return false;
        default:
          if (type === "" && isJsonObject(parsed["error"])) throw embeddedError(parsed["error"], context, moment());
          if (!progress.test(type))
            context.logger?.debug("An event of the Responses API is not known and was ignored.", { type });
          return false;
      }
    },
    end(stray) {
      const error = strayError(stray);
      if (error !== undefined) throw embeddedError(error, context, moment());
      throw cutStream(context, { partial: partialResponse() });
    },
    failure: (error, aborted) => toModelError(error, context, { ...moment(), aborted, reason: request.signal?.reason }),
  };
}

/** The phase of a message is known when it begins, before its text arrives. */
function textChunk({ item }: Slot, text: string): StreamChunk {
  return item["phase"] === "commentary" ? { type: "text", text, commentary: true } : { type: "text", text };
}
