import type { Message } from "@bailiwick/core";
import { textOf } from "./parts/message-list.tsx";

/** One column of the playground: its changes, and the run that it started. */
export interface Variant {
  readonly id: number;
  /** Empty: the agent's own. */
  readonly model: string;
  readonly instructions: string;
  readonly runId?: string | undefined;
  readonly error?: string | undefined;
}

/** Body of a request to the playground. */
export interface PlayBody {
  readonly messages: readonly Message[];
  readonly instructions?: string | undefined;
  readonly model?: string | undefined;
  readonly effects: "simulate" | "run";
  readonly fromRunId?: string | undefined;
}

/** A message of the user. */
export const newMessage = (content: string): Message => ({ id: crypto.randomUUID(), role: "user", content });

/** A message with another text. Its calls stay, and so does the call that it answers. */
export function withText(message: Message, text: string): Message {
  if (message.role !== "assistant") return { ...message, content: text };
  const others = message.content.filter((part) => part.type !== "text" && part.type !== "reasoning");
  const { providerState: _state, ...plain } = message;
  return { ...plain, content: text === "" ? others : [{ type: "text", text }, ...others] };
}

/** The text that the field of a message shows. */
export function editableText(message: Message): string {
  if (message.role !== "assistant") return textOf(message);
  return message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** A conversation without one message; results of an answer's calls are removed with it. */
export function without(messages: readonly Message[], id: string): readonly Message[] {
  const gone = messages.find((message) => message.id === id);
  const calls = new Set(gone?.role === "assistant" ? gone.toolCalls.map((call) => call.id) : []);
  return messages.filter((message) => message.id !== id && !(message.role === "tool" && calls.has(message.toolCallId)));
}
