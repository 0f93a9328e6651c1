import {
  isJsonObject,
  jsonObjects,
  mediaDataUrl,
  mediaSource,
  parseArguments,
  wellFormedJson,
  wireToolName,
} from "@bailiwick/core/provider";
import type {
  AssistantMessage,
  ContentPart,
  JsonValue,
  Message,
  ToolCall,
  ToolMessage,
  Warning,
} from "@bailiwick/core/provider";
import type { ModelContext } from "../model-context.ts";
import { leadingSystem } from "../cache-key.ts";
import { asError } from "../error-text.ts";
import { nothing } from "../nothing.ts";
import { inTurns } from "./turns.ts";

/** A message on the wire. */
type ChatWireMessage = Readonly<Record<string, unknown>>;

interface MappedMessage {
  readonly message: ChatWireMessage;
  readonly warning: Warning | undefined;
}

/** A message's JSON, cached by message: a long conversation is serialized once, not in each turn. */
interface WrittenMessage {
  readonly text: string;
  readonly warning: Warning | undefined;
}

/**
 * Messages in the form of Chat Completions, as JSON.
 *
 * @param messages - As compiled for this model.
 * @param context - The model.
 * @param warnings - Gets an entry for each part that is left out.
 */
export function chatMessages(messages: readonly Message[], context: ModelContext, warnings: Warning[]): string {
  const texts: string[] = [];
  let before: Message["role"] | undefined;
  for (const message of inTurns(oneSystem(messages, context), context, warnings)) {
    // This API has no hosted calls that wait for a decision.
    if (message.role === "tool" && message.hostedApproval !== undefined) continue;
    if (message.role === "user" && before === "tool" && context.compat.userAfterTool === false) texts.push(between);
    before = message.role;
    let written = context.messages.get(message) as WrittenMessage | undefined;
    if (written === undefined) {
      const mapped = mapMessage(message, context);
      written = { text: JSON.stringify(wellFormedJson(mapped.message)), warning: mapped.warning };
      context.messages.set(message, written);
    }
    texts.push(written.text);
    const { warning } = written;
    if (warning !== undefined && !warnings.some(({ code }) => code === warning.code)) warnings.push(warning);
  }
  if (texts.length === 0) texts.push(JSON.stringify(nothing));
  return `[${texts.join(",")}]`;
}

/** An answer between a tool's result and a user message, if a server requires one. */
const between = JSON.stringify({ role: "assistant", content: "I have the results." });

/** The system messages at the beginning as one message, for servers that accept only one. */
function oneSystem(messages: readonly Message[], { compat }: ModelContext): readonly Message[] {
  const leading = compat.systemMessages === "one" ? leadingSystem(messages) : [];
  const [first] = leading;
  if (first === undefined || leading.length < 2) return messages;
  const content = leading.map((message) => message.content).join("\n\n");
  return [{ ...first, content }, ...messages.slice(leading.length)];
}

/** A participant's name in the letters that every server accepts; a name without any such letter is left out. */
function nameOf({ name = "" }: Message): { readonly name?: string } {
  const written = name
    .replace(/[^a-zA-Z0-9_-]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 64);
  return written === "" ? {} : { name: written };
}

function mapMessage(message: Message, context: ModelContext): MappedMessage {
  const name = nameOf(message);
  switch (message.role) {
    case "system": {
      const role = context.traits.reasons ? "developer" : "system";
      return { message: { role, content: message.content, ...name }, warning: undefined };
    }
    case "user": {
      const content = typeof message.content === "string" ? message.content : message.content.map(contentOf);
      return { message: { role: "user", content, ...name }, warning: undefined };
    }
    case "tool":
      return {
        message: { role: "tool", tool_call_id: message.toolCallId, content: toolText(message) },
        warning: undefined,
      };
    case "assistant":
      return assistantMessage(message, context);
  }
}

function contentOf(part: ContentPart): ChatWireMessage {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "image":
      return { type: "image_url", image_url: { url: mediaDataUrl(part) } };
    case "audio":
      return audioOf(part);
    case "file": {
      if (part.mimeType.startsWith("audio/")) return audioOf(part);
      if (part.mimeType.startsWith("image/")) return { type: "image_url", image_url: { url: mediaDataUrl(part) } };
      if (mediaSource(part).kind === "url") return { type: "text", text: `[file at ${mediaDataUrl(part)}]` };
      const filename = part.filename || `file.${part.mimeType.split("/")[1] ?? "bin"}`;
      return { type: "file", file: { file_data: mediaDataUrl(part), filename } };
    }
  }
}

function audioOf(part: Extract<ContentPart, { type: "audio" | "file" }>): ChatWireMessage {
  const source = mediaSource(part);
  const format = /^audio\/(x-)?wav/.test(part.mimeType)
    ? "wav"
    : /^audio\/(mp3|mpeg)/.test(part.mimeType)
      ? "mp3"
      : undefined;
  return source.kind === "data" && format !== undefined
    ? { type: "input_audio", input_audio: { data: source.base64, format } }
    : { type: "text", text: `[audio (${part.mimeType}) omitted: only wav and mp3 as data are taken]` };
}

function toolText({ content, isError }: ToolMessage): string {
  const text =
    typeof content === "string"
      ? content
      : content.map((part) => (part.type === "text" ? part.text : `[${part.type} omitted]`)).join("\n");
  return isError === true ? asError(text) : text;
}

function assistantMessage(message: AssistantMessage, context: ModelContext): MappedMessage {
  let text = "";
  let refusal = "";
  let media = "";
  let warning: Warning | undefined;
  const extra: Record<string, unknown> = {};
  for (const part of message.content) {
    switch (part.type) {
      case "text":
        text += part.text;
        break;
      case "refusal":
        // Only OpenAI has the field.
        if (context.compat.openaiModels) refusal += part.text;
        else text += part.text;
        break;
      case "reasoning":
        if (!echoReasoning(part.text, part.providerState, context, extra)) warning = reasoningWarning;
        break;
      case "audio":
        // Spoken answers are sent back by their id.
        if (isJsonObject(part.providerState)) extra["audio"] = { id: part.providerState["audio"] };
        break;
      case "image":
      case "file":
        media += `[${part.type} of this answer omitted]`;
        warning ??= mediaWarning;
        break;
      default:
    }
  }
  const calls = message.toolCalls.map((call, index) => ({
    id: call.id,
    type: "function",
    function: {
      name: wireToolName(call.name, context.capabilities.toolName),
      arguments: argumentText(call.arguments, context),
    },
    ...extraContent(call, index, context),
  }));
  echoState(message.providerState, extra);
  const { echoReasoning: echoed } = context.compat;
  // With thinking on, DeepSeek refuses a turn with calls in which an answer has no such field, and accepts an empty
  // one: https://github.com/openclaw/openclaw/issues/73417.
  if (echoed === "reasoning_content") extra[echoed] ??= "";
  const hasOther = calls.length > 0 || refusal !== "" || extra["audio"] !== undefined;
  // Servers refuse an answer without content.
  if (text === "") text = media || (hasOther ? "" : "(no text)");
  return {
    message: {
      role: "assistant",
      content: text === "" && hasOther ? null : text,
      ...(refusal === "" ? {} : { refusal }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
      ...extra,
    },
    warning,
  };
}

/** Sends back a signature of the answer, and the files that the server has read, so that it does not read them again. */
function echoState(state: JsonValue | undefined, into: Record<string, unknown>): void {
  if (!isJsonObject(state)) return;
  if (state["extra"] !== undefined) into["extra_content"] = state["extra"];
  if (state["files"] !== undefined) into["annotations"] = state["files"];
}

const mediaWarning: Warning = {
  code: "media_omitted",
  message: "Media of earlier answers were left out: only messages of users can have media.",
  subject: "answer",
};

const reasoningWarning: Warning = {
  code: "reasoning_dropped",
  message: "Earlier reasoning was left out: only the Responses API accepts it.",
  subject: "reasoning",
};

/** Reasoning in the field in which the server expects it back; `false` if there is no such field. */
function echoReasoning(
  text: string,
  state: JsonValue | undefined,
  { compat }: ModelContext,
  into: Record<string, unknown>,
): boolean {
  const field = compat.echoReasoning;
  if (field === undefined) return false;
  const details = isJsonObject(state) ? jsonObjects(state["details"]) : [];
  if (field === "reasoning_details") {
    if (details.length > 0) into["reasoning_details"] = details;
    return details.length > 0;
  }
  into[field] = `${typeof into[field] === "string" ? into[field] : ""}${text}`;
  return true;
}

/**
 * Data that the vendor requires with its calls; for a first call of another model, the placeholder for a call without
 * it.
 */
function extraContent(
  { providerState }: ToolCall,
  index: number,
  { compat }: ModelContext,
): { readonly extra_content?: unknown } {
  const kept = isJsonObject(providerState) ? providerState["extra"] : undefined;
  if (kept !== undefined) return { extra_content: kept };
  return index > 0 || compat.foreignCall === undefined ? {} : { extra_content: compat.foreignCall };
}

/**
 * Arguments as they were written; for servers whose template parses them, text that is not an object is wrapped in one.
 */
function argumentText(text: string, { compat }: ModelContext): string {
  if (text.trim() === "") return "{}";
  if (!compat.jsonArguments) return text;
  const parsed = parseArguments(text);
  if (!isJsonObject(parsed.input)) return JSON.stringify({ invalid_arguments: text });
  return text.trimStart().startsWith("{") ? text : JSON.stringify(parsed.input);
}
