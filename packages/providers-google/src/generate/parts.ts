import { isJsonObject, jsonText } from "@bailiwick/core/provider";
import type { AssistantPart, HostedToolPart, ImageMimeType, JsonValue, ToolCall } from "@bailiwick/core/provider";
import type { PreparedTools } from "../prepared-tools.ts";
import type { AnswerPart } from "./answer.ts";
import type { WirePart } from "./wire-part.ts";
import { signed } from "./state.ts";

/** The parts and calls of an answer. */
export interface ReadParts {
  readonly parts: AssistantPart[];
  readonly calls: ToolCall[];
}

type MediaPart = Extract<AssistantPart, { type: "image" | "audio" | "file" }>;

/**
 * Reads the parts of an answer, each as one.
 *
 * @param answer - As the vendor sent them, in order.
 * @param tools - Of the request: names.
 */
export function readParts(answer: readonly AnswerPart[], tools: PreparedTools): ReadParts {
  const read: ReadParts = { parts: [], calls: [] };
  /** Only some versions name the call of a result; otherwise it belongs to the previous call. */
  let hostedId = "";
  for (const [index, { part, callId }] of answer.entries()) {
    if (callId !== undefined) {
      const call = readCall(part, callId, tools);
      read.calls.push(call);
      read.parts.push({ type: "tool_call", toolCallId: callId });
      continue;
    }
    const hosted = hostedPart(part, hostedId, index);
    if (hosted !== undefined) hostedId = hosted.toolCallId;
    read.parts.push(hosted ?? plainPart(part));
  }
  return read;
}

/**
 * Converts a call of the vendor. Gemini sends arguments as an object; their text is that object as
 * JSON.
 *
 * @param part - The part that it is in.
 * @param id - Its id.
 * @param tools - Of the request.
 */
export function readCall(part: WirePart, id: string, tools: PreparedTools): ToolCall {
  const call = isJsonObject(part["functionCall"]) ? part["functionCall"] : {};
  const text = JSON.stringify(call["args"] ?? {});
  return {
    id,
    name: tools.readName(jsonText(call["name"])),
    arguments: text,
    ...tools.readInput(text),
    ...signed(jsonText(part["thoughtSignature"])),
  };
}

function plainPart(part: WirePart): AssistantPart {
  const signature = signed(jsonText(part["thoughtSignature"]));
  if (typeof part["text"] === "string") {
    const type = part["thought"] === true ? "reasoning" : "text";
    return { type, text: part["text"], ...signature };
  }
  // Images made while thinking are thoughts; an unknown part is also sent back unchanged.
  return mediaOf(part) ?? { type: "reasoning", text: "", providerState: { part: part as JsonValue } };
}

/** True if this version knows what kind of part it is. */
export function isKnownPart(part: WirePart): boolean {
  return ["text", "inlineData", "fileData", "functionCall", ...hostedKinds].some((kind) => kind in part);
}

/**
 * A file that the model made; `undefined` if the part has none.
 *
 * @param part - A part of an answer.
 */
export function mediaOf(part: WirePart): MediaPart | undefined {
  if (part["thought"] === true) return undefined;
  const signature = signed(jsonText(part["thoughtSignature"]));
  const { inlineData, fileData } = part;
  if (isJsonObject(fileData)) {
    const mimeType = jsonText(fileData["mimeType"]) || "application/octet-stream";
    return { type: "file", url: jsonText(fileData["fileUri"]), mimeType, ...signature };
  }
  if (!isJsonObject(inlineData)) return undefined;
  const mimeType = jsonText(inlineData["mimeType"]);
  const data = jsonText(inlineData["data"]);
  if (/^image\/(png|jpeg|gif|webp)$/.test(mimeType)) {
    return { type: "image", data, mimeType: mimeType as ImageMimeType, ...signature };
  }
  if (/^audio\/(mp3|wav|ogg|webm)$/.test(mimeType)) {
    return {
      type: "audio",
      data,
      mimeType: mimeType as Extract<MediaPart, { type: "audio" }>["mimeType"],
      ...signature,
    };
  }
  return { type: "file", data, mimeType, ...signature };
}

const hostedKinds = ["executableCode", "codeExecutionResult", "toolCall", "toolResponse"] as const;

/** A call that the vendor ran itself, or its result; both are sent back unchanged. */
function hostedPart(part: WirePart, before: string, index: number): HostedToolPart | undefined {
  const kind = hostedKinds.find((name) => isJsonObject(part[name]));
  if (kind === undefined) return undefined;
  const value = part[kind] as { readonly [key: string]: JsonValue };
  const common = { type: "hosted_tool", providerState: { part: part as JsonValue } } as const;
  const fresh = jsonText(value["id"]) || `hosted_${index}`;
  const name =
    kind === "toolCall" || kind === "toolResponse" ? toolName(jsonText(value["toolType"])) : "code_execution";
  switch (kind) {
    case "executableCode":
    case "toolCall":
      return {
        ...common,
        toolCallId: fresh,
        toolName: name,
        input: kind === "toolCall" ? (value["args"] ?? {}) : value,
      };
    case "codeExecutionResult":
    case "toolResponse": {
      const failed = kind === "codeExecutionResult" && value["outcome"] !== "OUTCOME_OK";
      return {
        ...common,
        toolCallId: jsonText(value["id"]) || before || fresh,
        toolName: name,
        output: kind === "toolResponse" ? (value["response"] ?? {}) : value,
        ...(failed ? { isError: true } : {}),
      };
    }
  }
}

/** Names of the hosted tools' helpers, because the vendor distinguishes web search and image search. */
function toolName(type: string): string {
  return type === "" ? "hosted_tool" : type.toLowerCase().replace(/^google_search_\w+$/, "google_search");
}
