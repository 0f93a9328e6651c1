import { splitText } from "../../script/split-text.ts";
import { objectOf, objectsOf, type JsonObject } from "../json.ts";
import type { Answer, WireEvent } from "../wire.ts";
import { encodeResponse } from "./encode-json.ts";
import type { OutputContent, OutputItem } from "./output-items.ts";

/** The answer as the events that the vendor sends. */
export function encodeResponsesStream(answer: Answer): readonly WireEvent[] {
  const { started, finished, items } = encodeResponse(answer);
  const events: WireEvent[] = [];
  const emit: Emit = (type, fields) => {
    events.push({
      event: type,
      data: { type, sequence_number: events.length, ...fields },
      terminal: terminalTypes.has(type),
    });
  };
  emit("response.created", { response: started });
  emit("response.in_progress", { response: started });
  items.forEach((output, index) => encodeItem(output, index, emit));
  emit(finished["status"] === "incomplete" ? "response.incomplete" : "response.completed", { response: finished });
  return events;
}

type Emit = (type: string, fields: JsonObject) => void;

const terminalTypes: ReadonlySet<string> = new Set(["response.completed", "response.incomplete"]);

function encodeItem(output: OutputItem, outputIndex: number, emit: Emit): void {
  const { item, part, content } = output;
  const at = { item_id: item["id"], output_index: outputIndex };
  emit("response.output_item.added", { output_index: outputIndex, item: begun(output) });
  content.forEach((piece, contentIndex) => encodeContent(piece, { ...at, content_index: contentIndex }, emit));
  if (part?.type === "reasoning") encodeSummary(item, at, emit);
  if (part?.type === "tool_call") {
    const name = part.custom ? "response.custom_tool_call_input" : "response.function_call_arguments";
    for (const delta of part.deltas) emit(`${name}.delta`, { ...at, delta });
    emit(`${name}.done`, { ...at, [part.custom ? "input" : "arguments"]: part.argumentsText });
  }
  if (item["type"] === "image_generation_call") {
    emit("response.image_generation_call.in_progress", at);
    emit("response.image_generation_call.generating", at);
    emit("response.image_generation_call.completed", at);
  }
  emit("response.output_item.done", { output_index: outputIndex, item });
}

function begun({ item, part, content }: OutputItem): JsonObject {
  if (content.length > 0) return { ...item, status: "in_progress", content: [] };
  if (part?.type === "reasoning") return { ...item, summary: [] };
  if (part?.type === "tool_call") return { ...item, status: "in_progress", [part.custom ? "input" : "arguments"]: "" };
  if (item["type"] === "image_generation_call")
    return { id: item["id"], type: item["type"], status: "in_progress", result: null };
  return item;
}

function encodeSummary(item: JsonObject, at: JsonObject, emit: Emit): void {
  const parts = objectsOf(item["summary"]);
  parts.forEach((part, index) => {
    const here = { ...at, summary_index: index };
    const text = String(part["text"]);
    emit("response.reasoning_summary_part.added", { ...here, part: { type: "summary_text", text: "" } });
    for (const delta of splitText(text)) emit("response.reasoning_summary_text.delta", { ...here, delta });
    emit("response.reasoning_summary_text.done", { ...here, text });
    emit("response.reasoning_summary_part.done", { ...here, part });
  });
}

function encodeContent({ part, value }: OutputContent, at: JsonObject, emit: Emit): void {
  if (part.type === "refusal") {
    emit("response.content_part.added", { ...at, part: { type: "refusal", refusal: "" } });
    for (const delta of part.deltas) emit("response.refusal.delta", { ...at, delta });
    emit("response.refusal.done", { ...at, refusal: part.text });
    emit("response.content_part.done", { ...at, part: value });
    return;
  }
  emit("response.content_part.added", {
    ...at,
    part: { type: "output_text", annotations: [], logprobs: [], text: "" },
  });
  for (const delta of part.deltas) emit("response.output_text.delta", { ...at, delta, logprobs: [] });
  objectsOf(value["annotations"]).forEach((annotation, index) => {
    emit("response.output_text.annotation.added", { ...at, annotation_index: index, annotation: objectOf(annotation) });
  });
  emit("response.output_text.done", { ...at, text: part.text, logprobs: [] });
  emit("response.content_part.done", { ...at, part: value });
}
