import type {
  AssistantMessage,
  AssistantPart,
  AudioPart,
  FilePart,
  HostedToolPart,
  ImagePart,
  SourcePart,
} from "@bailiwick/core";

/** Text of a step; it grows during the stream. */
export interface StepText {
  readonly kind: "text" | "reasoning";
  text: string;
}

/** One part of a step, for a client. */
export type StepPart =
  | StepText
  | { readonly kind: "tool"; readonly toolCallId: string; readonly toolName: string; readonly input: unknown }
  | {
      readonly kind: "hosted";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
      readonly output: unknown;
      readonly isError: boolean;
      readonly isDone: boolean;
    }
  | { readonly kind: "source"; readonly source: SourcePart }
  | { readonly kind: "file"; readonly url: string; readonly mediaType: string };

/**
 * The parts of an answer in its order; neighbouring pieces of text are joined, as in a stream.
 *
 * @param message - The whole answer.
 */
export function stepParts(message: AssistantMessage): StepPart[] {
  const parts: StepPart[] = [];
  const placed = new Set<string>();
  const addCall = (toolCallId: string): void => {
    const call = message.toolCalls.find(({ id }) => id === toolCallId);
    if (call === undefined || placed.has(toolCallId)) return;
    placed.add(toolCallId);
    parts.push({ kind: "tool", toolCallId, toolName: call.name, input: inputOf(call) });
  };
  for (const part of message.content) addPart(parts, part, addCall);
  for (const { id } of message.toolCalls) addCall(id);
  return parts;
}

function addPart(parts: StepPart[], part: AssistantPart, addCall: (toolCallId: string) => void): void {
  switch (part.type) {
    case "text":
    case "refusal":
      addText(parts, "text", part.text);
      return;
    case "reasoning":
      addText(parts, "reasoning", part.text);
      return;
    case "tool_call":
      addCall(part.toolCallId);
      return;
    case "hosted_tool":
      addHosted(parts, part);
      return;
    case "source":
      parts.push({ kind: "source", source: part });
      return;
    default: {
      const file = filePart(part);
      if (file !== undefined) parts.push(file);
    }
  }
}

/** Adds a call that the vendor ran; some vendors send the call and its result in two parts. */
function addHosted(parts: StepPart[], part: HostedToolPart): void {
  const { toolCallId, toolName } = part;
  const at = parts.findIndex((shown) => shown.kind === "hosted" && shown.toolCallId === toolCallId);
  const earlier = parts[at];
  const told = earlier?.kind === "hosted" ? earlier : undefined;
  const whole: StepPart = {
    kind: "hosted",
    toolCallId,
    toolName: told?.toolName ?? toolName,
    input: part.input ?? told?.input ?? null,
    output: part.output ?? null,
    isError: part.isError === true,
    isDone: part.approvalRequestId === undefined,
  };
  if (told === undefined) parts.push(whole);
  else parts[at] = whole;
}

/** Adds text to the last part if that continues, else as a separate part; empty text adds no part. */
function addText(parts: StepPart[], kind: "text" | "reasoning", text: string): void {
  if (text === "") return;
  const last = parts.at(-1);
  if (last?.kind === kind) last.text += text;
  else parts.push({ kind, text });
}

/** A file that a client can open: by its address, or as a `data:` URL. */
export function filePart(part: ImagePart | AudioPart | FilePart): StepPart | undefined {
  const mediaType = part.mimeType ?? "application/octet-stream";
  if ("url" in part && part.url !== undefined) return { kind: "file", url: part.url, mediaType };
  const { data } = part;
  if (data === undefined) return undefined;
  if (typeof data === "string") {
    const isAddress = /^(?:data:|https?:)/.test(data);
    return { kind: "file", url: isAddress ? data : `data:${mediaType};base64,${data}`, mediaType };
  }
  let binary = "";
  for (const byte of data) binary += String.fromCharCode(byte);
  return { kind: "file", url: `data:${mediaType};base64,${btoa(binary)}`, mediaType };
}

/** The input that is shown for a call: its arguments, or the model's text if they are not JSON. */
function inputOf(call: AssistantMessage["toolCalls"][number]): unknown {
  if (call.input !== undefined) return call.input;
  if (call.arguments.trim() === "") return {};
  try {
    return JSON.parse(call.arguments) as unknown;
  } catch {
    return call.arguments;
  }
}
