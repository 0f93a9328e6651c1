import { isJsonObject, mediaSource, parseArguments, wellFormedJson, wireToolName } from "@bailiwick/core/provider";
import type { AssistantMessage, ContentPart, Message, ToolCall, Warning } from "@bailiwick/core/provider";
import { leadingSystem } from "../cache-key.ts";
import { inTurns } from "../chat/turns.ts";
import { asError } from "../error-text.ts";
import type { ModelContext } from "../model-context.ts";

/**
 * Messages in Ollama's form, as JSON: text as one string, with images next to it, arguments as objects.
 *
 * @param messages - As compiled for this model.
 * @param context - The model.
 * @param warnings - Gets an entry for media that are left out.
 */
export function ollamaMessages(messages: readonly Message[], context: ModelContext, warnings: Warning[]): string {
  const texts: string[] = [];
  for (const message of inTurns(oneSystem(messages), context, warnings)) {
    if (message.role === "tool" && message.hostedApproval !== undefined) continue;
    let written = context.messages.get(message) as string | undefined;
    if (written === undefined) {
      written = JSON.stringify(wellFormedJson(mapMessage(message, context)));
      context.messages.set(message, written);
    }
    texts.push(written);
    if (leavesMediaOut(message) && !warnings.some(({ code }) => code === mediaWarning.code))
      warnings.push(mediaWarning);
  }
  return `[${texts.join(",")}]`;
}

const mediaWarning: Warning = {
  code: "media_omitted",
  message: "Media that Ollama does not take were replaced by a text that names them.",
  subject: "messages",
};

function leavesMediaOut({ role, content }: Message): boolean {
  if (typeof content === "string") return false;
  return (content as readonly { readonly type: string }[]).some(
    ({ type }) => type === "audio" || type === "file" || (type === "image" && role !== "user"),
  );
}

function oneSystem(messages: readonly Message[]): readonly Message[] {
  const leading = leadingSystem(messages);
  const [first] = leading;
  if (first === undefined || leading.length < 2) return messages;
  return [{ ...first, content: leading.map(({ content }) => content).join("\n\n") }, ...messages.slice(leading.length)];
}

function mapMessage(message: Message, context: ModelContext): object {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.content };
    case "user":
      return { role: "user", ...userContent(message.content) };
    case "tool": {
      const { content } = message;
      const text = typeof content === "string" ? content : content.map(textOf).join("\n");
      return {
        role: "tool",
        content: message.isError === true ? asError(text) : text,
        tool_name: wireToolName(message.toolName, context.capabilities.toolName),
        tool_call_id: message.toolCallId,
      };
    }
    case "assistant":
      return assistantMessage(message, context);
  }
}

function userContent(content: string | readonly ContentPart[]): object {
  if (typeof content === "string") return { content };
  const images = content.flatMap((part) => {
    const source = part.type === "image" ? mediaSource(part) : undefined;
    return source?.kind === "data" ? [source.base64] : [];
  });
  const text = content.flatMap((part) => {
    const isSent = part.type === "image" && mediaSource(part).kind === "data";
    return isSent ? [] : [textOf(part)];
  });
  return { content: text.join("\n"), ...(images.length === 0 ? {} : { images }) };
}

function textOf(part: ContentPart): string {
  if (part.type === "text") return part.text;
  const source = mediaSource(part);
  return source.kind === "url" ? `[${part.type} at ${source.url}]` : `[${part.type} omitted]`;
}

function assistantMessage(message: AssistantMessage, context: ModelContext): object {
  let content = "";
  let thinking = "";
  for (const part of message.content) {
    if (part.type === "text" || part.type === "refusal") content += part.text;
    else if (part.type === "reasoning") thinking += part.text;
    else if (part.type === "image" || part.type === "audio" || part.type === "file")
      content += `[${part.type} of this answer omitted]`;
  }
  const calls = message.toolCalls.map((call) => ({
    id: call.id,
    function: { name: wireToolName(call.name, context.capabilities.toolName), arguments: argumentsOf(call) },
  }));
  if (content === "" && calls.length === 0) content = "(no text)";
  return {
    role: "assistant",
    content,
    ...(thinking === "" ? {} : { thinking }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** Arguments are an object on this API; other text is wrapped in one. */
function argumentsOf({ arguments: text }: ToolCall): object {
  if (text.trim() === "") return {};
  const parsed = parseArguments(text);
  return "input" in parsed && isJsonObject(parsed.input) ? parsed.input : { invalid_arguments: text };
}
