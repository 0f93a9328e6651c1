import type {
  LanguageModelV3Content,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import type { SourcePart, Warning } from "@bailiwick/core/provider";
import { readFile, type AnswerFile } from "./answer-file.ts";

/** A part of an answer while it is collected. */
export type Slot =
  | { readonly type: "text"; text: string; metadata: SharedV4ProviderMetadata | undefined }
  | {
      readonly type: "reasoning";
      text: string;
      metadata: SharedV4ProviderMetadata | undefined;
      readonly kind?: string;
      readonly file?: {
        readonly mediaType: string;
        readonly data?: string | undefined;
        readonly url?: string | undefined;
      };
    }
  | CallSlot
  | {
      readonly type: "hosted";
      readonly id: string;
      readonly name: string;
      input: string;
      output: unknown;
      isError: boolean;
      approvalId: string | undefined;
      metadata: SharedV4ProviderMetadata | undefined;
    }
  | { readonly type: "source"; readonly source: SourcePart }
  | { readonly type: "file"; readonly file: AnswerFile; readonly metadata: SharedV4ProviderMetadata | undefined };

/** A call for the agent. */
export interface CallSlot {
  readonly type: "call";
  readonly id: string;
  readonly name: string;
  input: string;
  /** True if the whole call has arrived: its pieces alone do not count. */
  whole: boolean;
  metadata: SharedV4ProviderMetadata | undefined;
}

/** An answer with its fields collected, from one result or from many stream parts. */
export interface Answer {
  readonly slots: Slot[];
  readonly warnings: Warning[];
  id: string | undefined;
  model: string | undefined;
  usage: LanguageModelV4Usage | undefined;
  finish: LanguageModelV4FinishReason | undefined;
}

/** An empty answer, before the first chunk. */
export function emptyAnswer(): Answer {
  return { slots: [], warnings: [], id: undefined, model: undefined, usage: undefined, finish: undefined };
}

/**
 * Metadata merged with that of a later piece, vendor by vendor.
 *
 * @param before - Known so far.
 * @param more - Of the later piece.
 */
export function mergeMetadata(
  before: SharedV4ProviderMetadata | undefined,
  more: SharedV4ProviderMetadata | undefined,
): SharedV4ProviderMetadata | undefined {
  if (before === undefined || more === undefined) return more ?? before;
  const merged: SharedV4ProviderMetadata = { ...before };
  for (const [vendor, own] of Object.entries(more)) merged[vendor] = { ...merged[vendor], ...own };
  return merged;
}

/**
 * Adds a complete content part.
 *
 * @param answer - Takes it.
 * @param part - The part.
 * @returns The slot that it filled; `undefined` for a part that this version does not know.
 */
export function takeContent(answer: Answer, part: LanguageModelV4Content | LanguageModelV3Content): Slot | undefined {
  const { slots } = answer;
  const add = <Kind extends Slot>(slot: Kind): Kind => {
    slots.push(slot);
    return slot;
  };
  const metadata = part.providerMetadata;
  switch (part.type) {
    case "text":
    case "reasoning":
      return add({ type: part.type, text: part.text, metadata });
    case "custom":
      return add({ type: "reasoning", text: "", metadata, kind: part.kind });
    case "reasoning-file": {
      const { type: _type, ...data } = readFile(part);
      return add({ type: "reasoning", text: "", metadata, file: { mediaType: part.mediaType, ...withoutType(data) } });
    }
    case "tool-call":
      return part.providerExecuted === true ? takeHostedCall(answer, part) : takeCall(answer, part);
    case "tool-result": {
      const slot = hostedOf(answer, part.toolCallId) ?? add(hostedSlot(part.toolCallId, part.toolName, "", undefined));
      slot.output = part.result;
      slot.isError = part.isError === true;
      slot.metadata = mergeMetadata(slot.metadata, metadata);
      return slot;
    }
    case "tool-approval-request": {
      const slot = hostedOf(answer, part.toolCallId) ?? add(hostedSlot(part.toolCallId, "", "", undefined));
      slot.approvalId = part.approvalId;
      return slot;
    }
    case "source": {
      const { title, id: sourceId } = part;
      const source: SourcePart =
        part.sourceType === "url"
          ? { type: "source", url: part.url, sourceId, ...(title === undefined ? {} : { title }) }
          : { type: "source", documentId: part.id, ...(title === undefined ? {} : { title }) };
      return add({ type: "source", source });
    }
    case "file":
      return add({ type: "file", file: readFile(part), metadata });
    default:
      return undefined;
  }
}

function withoutType(file: Readonly<Record<string, unknown>>): { readonly data?: string; readonly url?: string } {
  const { data, url } = file;
  return { ...(typeof data === "string" ? { data } : {}), ...(typeof url === "string" ? { url } : {}) };
}

type ToolCallContent = Extract<LanguageModelV4Content | LanguageModelV3Content, { type: "tool-call" }>;

function takeCall({ slots }: Answer, part: ToolCallContent): Slot {
  const { toolCallId: id, toolName: name, input, providerMetadata } = part;
  const open = slots.find((slot): slot is CallSlot => slot.type === "call" && slot.id === id && !slot.whole);
  if (open === undefined) {
    const slot: Slot = { type: "call", id, name, input, whole: true, metadata: providerMetadata };
    slots.push(slot);
    return slot;
  }
  open.input = input;
  open.whole = true;
  open.metadata = mergeMetadata(open.metadata, providerMetadata);
  return open;
}

/** A call of the vendor's own, whose pieces looked like one of the agent's. */
function takeHostedCall({ slots }: Answer, part: ToolCallContent): Slot {
  const { toolCallId: id, toolName: name, input, providerMetadata } = part;
  const slot = hostedSlot(id, name, input, providerMetadata);
  const open = slots.findIndex((one) => one.type === "call" && one.id === id && !one.whole);
  if (open === -1) slots.push(slot);
  else slots[open] = slot;
  return slot;
}

type HostedSlot = Extract<Slot, { type: "hosted" }>;

function hostedSlot(
  id: string,
  name: string,
  input: string,
  metadata: SharedV4ProviderMetadata | undefined,
): HostedSlot {
  return { type: "hosted", id, name, input, output: undefined, isError: false, approvalId: undefined, metadata };
}

function hostedOf({ slots }: Answer, id: string): HostedSlot | undefined {
  return slots.findLast((slot): slot is HostedSlot => slot.type === "hosted" && slot.id === id);
}
