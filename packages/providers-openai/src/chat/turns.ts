import { unsupportedSetting } from "@bailiwick/core/provider";
import type { AssistantMessage, ContentPart, Message, ToolMessage, Warning } from "@bailiwick/core/provider";
import type { ModelContext } from "../model-context.ts";

type UserMessage = Extract<Message, { role: "user" }>;

const opening: UserMessage = { id: "opening", role: "user", content: "(The conversation began before this.)" };
const closing: UserMessage = { id: "closing", role: "user", content: "Continue." };

/**
 * Messages in the order of roles that the server accepts. If user and model must alternate, adjacent messages of one
 * role are joined, and a user message is first and last. A server without tools gets earlier calls and results as text.
 *
 * @param messages - With the system message first.
 * @param context - The model.
 * @param warnings - Gets an entry for each inserted message.
 */
export function inTurns(
  messages: readonly Message[],
  { compat, modelId }: ModelContext,
  warnings: Warning[],
): readonly Message[] {
  if (compat.alternates !== true) {
    const begun = compat.openaiModels ? messages : withUser(messages);
    const last = begun.at(-1)?.role;
    if (compat.endsWithAnswer !== false || last === "user" || last === "tool") return begun;
    warnings.push(
      unsupportedSetting("prefill", `${modelId} does not accept a prefilled answer, so a message asks it to continue.`),
    );
    return [...begun, closing];
  }
  const turns: Message[] = [];
  for (const message of compat.tools === false ? messages.map(asText) : messages) {
    const last = turns.at(-1);
    if (message.role === "user" && last?.role === "user") turns[turns.length - 1] = joinedUser(last, message);
    else if (message.role === "assistant" && last?.role === "assistant")
      turns[turns.length - 1] = joinedAnswer(last, message);
    else turns.push(message);
  }
  const first = turns.findIndex(({ role }) => role !== "system");
  if (turns[first]?.role === "assistant") turns.splice(first, 0, opening);
  if (turns.at(-1)?.role !== "user") turns.push(turns.length === 0 ? opening : closing);
  return turns;
}

/** The messages with a user's first: chat templates of open models, and several vendors, refuse a request without one. */
function withUser(messages: readonly Message[]): readonly Message[] {
  const first = messages.findIndex(({ role }) => role !== "system");
  if (messages[first]?.role === "user") return messages;
  return messages.toSpliced(first < 0 ? messages.length : first, 0, opening);
}

function asText(message: Message): Message {
  switch (message.role) {
    case "tool":
      return {
        id: message.id,
        role: "user",
        content: [{ type: "text", text: `[Result of ${message.toolName}]` }, ...resultOf(message)],
      };
    case "assistant": {
      const calls = message.toolCalls.map(({ name, arguments: text }) => `[${name} was called with ${text || "{}"}]`);
      if (calls.length === 0) return message;
      const content = message.content.filter(({ type }) => type !== "tool_call");
      return { ...message, content: [...content, { type: "text", text: calls.join("\n") }], toolCalls: [] };
    }
    default:
      return message;
  }
}

function resultOf({ content }: ToolMessage): readonly ContentPart[] {
  if (content === "") return [];
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function joinedUser(one: UserMessage, other: UserMessage): UserMessage {
  return { ...one, content: [...partsOf(one), ...partsOf(other)] };
}

function partsOf({ content }: UserMessage): readonly ContentPart[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function joinedAnswer(one: AssistantMessage, other: AssistantMessage): AssistantMessage {
  return {
    ...one,
    content: [...one.content, { type: "text", text: "\n" }, ...other.content],
    toolCalls: [...one.toolCalls, ...other.toolCalls],
  };
}
