import { checkKnownNames } from "@bailiwick/core";
import type { Message, Owner, ToolFailure, UserMessage } from "@bailiwick/core";
import type { ServedAgent, ServedStore } from "../runs/served-agent.ts";
import { createStepWriter } from "../ui-stream/step-writer.ts";
import { filePart, stepParts } from "../ui-stream/step-parts.ts";
import type { UiChunk } from "../ui-stream/ui-chunk.ts";
import { toolErrorText, type ToolErrorText } from "../ui-stream/tool-error-text.ts";
import { uiEncoder, type UiEncoderOptions } from "../ui-stream/ui-encoder.ts";
import { lineage, readRecord } from "./chat-record.ts";
import { readTurns, type ChatTurn } from "./chat-turns.ts";
import { uiMessageOf, type UiMessage, type UiMessagePart } from "./ui-message.ts";

/** Options of `sessionToUIMessages`. */
export interface SessionMessagesOptions extends Owner {
  /** The agent of the chat. */
  readonly agent: Pick<ServedAgent, "name" | "inspect" | "sessions">;
  /** The agent's own store. */
  readonly store: ServedStore;
  /** The chat's id. */
  readonly sessionId: string;
  /** A branch of the chat; default: the chosen one. */
  readonly branch?: string | undefined;
  /**
   * Approximate number of newest messages to return, in whole turns: a message of the user and its answer. Default:
   * all.
   */
  readonly limit?: number | undefined;
}

/**
 * Returns a chat as messages for `useChat`, open questions included. Call it to render a page on the server, after
 * you have authenticated the caller: it returns the chat of the given user and tenant. Each answer has its run's id,
 * as in every stream, so a page that loads the history and resumes the stream shows no message twice.
 *
 * @param options - The agent, its store, the chat and its owner.
 * @returns the messages of the chosen branch, oldest first; none for an unknown chat.
 * @example
 * ```ts
 * import type { Agent, RunStore } from "@bailiwick/agent";
 * import { sessionToUIMessages, type UiMessage } from "@bailiwick/server";
 *
 * export function load(agent: Agent, store: RunStore, sessionId: string, userId: string): Promise<readonly UiMessage[]> {
 *   return sessionToUIMessages({ agent, store, sessionId, userId });
 * }
 * ```
 */
export async function sessionToUIMessages(options: SessionMessagesOptions): Promise<UiMessage[]> {
  checkKnownNames(
    options ?? null,
    ["agent", "store", "sessionId", "branch", "limit", "tenantId", "userId"],
    "sessionToUIMessages()",
  );
  const { agent, store, sessionId, tenantId, userId } = options;
  const owner = { tenantId, userId };
  const { sessions } = agent;
  const record = sessions === undefined ? undefined : await readRecord({ sessions, chatId: sessionId, owner });
  const line = record === undefined ? [sessionId] : lineage(record, options.branch ?? record.active);
  const page = options.limit === undefined ? undefined : { limit: turnsOf(options.limit) };
  const { turns } = await readTurns({ agent, store }, line, owner, page);
  return turns.flatMap((turn) => turnMessages(turn));
}

/** The number of turns that contain about this many messages. */
export const turnsOf = (messages: number): number => Math.max(1, Math.ceil(messages / 2));

/** The messages of one turn: the user's, then the answer. */
export function turnMessages(
  { run, user, rest }: ChatTurn,
  { errorText, exposeErrors }: Pick<UiEncoderOptions, "errorText" | "exposeErrors"> = {},
): UiMessage[] {
  const asked = user.map(userMessage);
  const toolError = toolErrorText(exposeErrors ?? false);
  if (run === undefined) return [...asked, ...looseAnswer(rest, toolError)];
  const encoder = uiEncoder({ runId: run.run.id, errorText, exposeErrors });
  const answer = uiMessageOf([...run.events.flatMap((event) => encoder.push(event)), ...encoder.end()]);
  return answer === undefined ? asked : [...asked, answer];
}

function userMessage({ id, content }: UserMessage): UiMessage {
  if (typeof content === "string") return { id, role: "user", parts: [{ type: "text", text: content }] };
  const parts = content.flatMap((part): UiMessagePart[] => {
    if (part.type === "text") return [{ type: "text", text: part.text }];
    const file = filePart(part);
    if (file?.kind !== "file") return [];
    const filename = part.type === "file" ? part.filename : undefined;
    return [{ type: "file", url: file.url, mediaType: file.mediaType, ...(filename !== undefined && { filename }) }];
  });
  return { id, role: "user", parts };
}

/** A failed call of which only the model's text remains. */
function failureOf(content: Message["content"]): ToolFailure {
  const message = typeof content === "string" ? content : JSON.stringify(content);
  return { kind: "execution_failed", message, recoverable: false, recoveryHint: "report_to_user" };
}

/** An answer without a run: an imported one, or one whose run was deleted. */
function looseAnswer(messages: readonly Message[], toolError: ToolErrorText): UiMessage[] {
  const first = messages.find(({ role }) => role === "assistant");
  if (first === undefined) return [];
  const chunks: UiChunk[] = [];
  let turn = 0;
  for (const message of messages) {
    if (message.role === "assistant") {
      turn += 1;
      chunks.push({ type: "start-step" });
      createStepWriter(turn, (chunk) => void chunks.push(chunk), toolError).settle(stepParts(message));
    } else if (message.role === "tool" && message.hostedApproval === undefined) {
      const { toolCallId, toolName, content, isError } = message;
      if (isError === true)
        chunks.push({ type: "tool-output-error", toolCallId, errorText: toolError(failureOf(content), toolName) });
      else chunks.push({ type: "tool-output-available", toolCallId, output: content });
    }
  }
  const whole = uiMessageOf([{ type: "start", messageId: first.id, messageMetadata: { runId: first.id } }, ...chunks]);
  return whole === undefined ? [] : [{ id: whole.id, role: whole.role, parts: whole.parts }];
}
