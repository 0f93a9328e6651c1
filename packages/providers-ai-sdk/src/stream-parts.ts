import type { LanguageModelV3StreamPart, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { ModelResponseError } from "@bailiwick/core/provider";
import type { EmitChunk } from "@bailiwick/core/provider";
import { mergeMetadata, takeContent, type Answer, type CallSlot, type Slot } from "./answer.ts";
import { StreamPartError } from "./errors.ts";
import { checkAnswer, readAnswer, type ReadContext } from "./response.ts";
import { readWarnings } from "./warnings.ts";

/** A part of a streamed answer, of version 4 or 3. */
export type StreamPart = LanguageModelV4StreamPart | LanguageModelV3StreamPart;

/** Turns stream parts of one answer into chunks. */
export interface PartMapper {
  /**
   * Maps one part.
   *
   * @returns True if the answer is complete.
   * @throws ModelError or {@link StreamPartError} when the part is an error.
   */
  part(part: StreamPart, emit: EmitChunk): boolean;
  /**
   * The stream ended without its last part.
   *
   * @throws ModelResponseError always.
   */
  end(): never;
}

/**
 * Starts the mapping of one streamed answer.
 *
 * @param answer - Takes the parts.
 * @param read - The model and the request.
 */
export function partMapper(answer: Answer, read: ReadContext): PartMapper {
  const { context, built } = read;
  const open = new Map<string, Slot>();
  /** Arguments of a call that were shown. */
  const told = new Map<CallSlot, string>();
  /** Calls whose pieces are not JSON: only the whole text is shown. */
  const encoded = new Set<CallSlot>();

  const growing = (type: "text" | "reasoning", id: string): Extract<Slot, { type: "text" | "reasoning" }> => {
    const key = `${type} ${id}`;
    const known = open.get(key);
    if (known !== undefined && known.type === type) return known;
    const slot = { type, text: "", metadata: undefined };
    answer.slots.push(slot);
    open.set(key, slot);
    return slot;
  };

  const startCall = (slot: CallSlot, emit: EmitChunk): void => {
    told.set(slot, "");
    emit({ type: "tool_call_start", toolCall: { id: slot.id, name: built.tools.readName(slot.name) } });
  };

  const endCall = (slot: CallSlot, emit: EmitChunk): void => {
    if (!told.has(slot)) startCall(slot, emit);
    const before = told.get(slot) ?? "";
    const rest = slot.input.startsWith(before) ? slot.input.slice(before.length) : "";
    if (rest !== "") emit({ type: "tool_call_delta", toolCallId: slot.id, argumentsDelta: rest });
    emit({ type: "tool_call_end", toolCallId: slot.id });
  };

  const content = (part: Parameters<typeof takeContent>[1], emit: EmitChunk): void => {
    // The event marks the beginning of a stream and has no content, so a whole answer has none.
    if (part.type === "custom" && part.kind.endsWith(".message_start")) return;
    const slot = takeContent(answer, part);
    if (slot === undefined) {
      context.logger?.debug(`${context.modelId} sent a part that this version does not know.`, part);
      return;
    }
    if (slot.type === "call") endCall(slot, emit);
    else if (slot.type === "source") emit({ type: "source", source: slot.source });
    else if (slot.type === "file") {
      emit({ type: "file", file: slot.file });
    }
  };

  const finish = (part: Extract<StreamPart, { type: "finish" }>, emit: EmitChunk): void => {
    answer.finish = part.finishReason;
    answer.usage = part.usage;
    // The AI SDK ends an interrupted stream with this reason.
    if (
      part.finishReason.unified === "interrupted" ||
      (part.finishReason.unified === "other" && part.finishReason.raw === undefined)
    )
      throw incomplete();
    const response = readAnswer(answer, read);
    checkAnswer(response, answer, read);
    for (const warning of response.warnings) emit({ type: "warning", warning });
    emit({ type: "finish", finishReason: response.finishReason, usage: response.usage, response });
  };

  const incomplete = (): ModelResponseError =>
    new ModelResponseError(`The stream of ${context.modelId} ended before the answer was complete.`, {
      provider: context.provider,
      model: context.modelId,
      retryable: true,
      partial: answer.slots.length === 0 ? undefined : readAnswer(answer, read, true),
    });

  return {
    part(part, emit) {
      switch (part.type) {
        case "stream-start":
          answer.warnings.push(...readWarnings(part.warnings));
          return false;
        case "response-metadata":
          answer.id ??= part.id;
          answer.model ??= part.modelId;
          return false;
        case "text-start":
        case "text-delta":
        case "text-end":
        case "reasoning-start":
        case "reasoning-delta":
        case "reasoning-end": {
          const type = part.type.startsWith("text") ? "text" : "reasoning";
          const slot = growing(type, part.id);
          slot.metadata = mergeMetadata(slot.metadata, part.providerMetadata);
          if ("delta" in part && part.delta !== "") {
            slot.text += part.delta;
            emit({ type: type === "text" ? "text" : "thinking", text: part.delta });
          }
          // The id may be reused for another block.
          if (part.type.endsWith("-end")) open.delete(`${type} ${part.id}`);
          return false;
        }
        case "tool-input-start": {
          if (part.providerExecuted === true) return false;
          const slot: CallSlot = {
            type: "call",
            id: part.id,
            name: part.toolName,
            input: "",
            whole: false,
            metadata: part.providerMetadata,
          };
          answer.slots.push(slot);
          open.set(`call ${part.id}`, slot);
          if ("inputEncoding" in part && part.inputEncoding === "text") encoded.add(slot);
          // Packages do not always mark the pieces of the vendor's own calls; the whole call names its owner.
          if (built.tools.isFunction(slot.name)) startCall(slot, emit);
          return false;
        }
        case "tool-input-delta": {
          const slot = open.get(`call ${part.id}`);
          if (slot?.type !== "call" || part.delta === "") return false;
          slot.input += part.delta;
          if (encoded.has(slot) || !told.has(slot)) return false;
          told.set(slot, slot.input);
          emit({ type: "tool_call_delta", toolCallId: slot.id, argumentsDelta: part.delta });
          return false;
        }
        // The whole call follows; its pieces do not count.
        case "tool-input-end":
        case "ping":
          return false;
        case "raw":
          emit({ type: "raw", event: part.rawValue });
          return false;
        case "error":
          throw new StreamPartError(part.error);
        case "finish":
          finish(part, emit);
          return true;
        default:
          content(part, emit);
          return false;
      }
    },
    end(): never {
      throw incomplete();
    },
  };
}
