import { isToolUIPart, type UIMessage } from "ai";

/** A request of a chat, as `prepareSendMessagesRequest` of the AI SDK gets it. */
export interface ChatRequest {
  /** Id of the chat. */
  readonly id: string;
  /** The messages that the page shows. */
  readonly messages: readonly UIMessage[];
  /** Reason of the request. */
  readonly trigger: "submit-message" | "regenerate-message";
  /** The message that the request is about, if it is not the last one. */
  readonly messageId: string | undefined;
}

/** Body of a request to `POST /chat`, as plain data. */
export interface ChatRequestBody extends ChatRequest {
  /** Ids of the answer before the new messages and of the message that it answers; `null` if there is none. */
  readonly parentId: readonly string[] | null;
}

/**
 * Makes the body of a request to `POST /chat`: the new message and the id of the answer before it. Its size does not
 * grow with the chat, because the server has the earlier messages.
 *
 * @param request - The request of the AI SDK's chat.
 * @example
 * ```ts
 * import { chatRequestBody } from "@bailiwick/react";
 * import { DefaultChatTransport, type UIMessage } from "ai";
 *
 * export const transport = new DefaultChatTransport<UIMessage>({
 *   api: "/api/chat",
 *   prepareSendMessagesRequest: ({ body, ...request }) => ({ body: { ...body, ...chatRequestBody(request) } }),
 * });
 * ```
 */
export function chatRequestBody({ id, messages, trigger, messageId }: ChatRequest): ChatRequestBody {
  const last =
    messages.findLast((message) => message.id === messageId && message.role === "assistant") ?? messages.at(-1);
  const request = { id, trigger, messageId };
  if (trigger === "submit-message" && last?.role === "assistant")
    return { ...request, messages: [answersOf(last)], parentId: null };
  const from = messages.findLastIndex(({ role }) => role !== "user") + 1;
  const earlier = messages.slice(0, from);
  const asked = earlier.findLast(({ role }) => role === "user");
  // The greeting of a page is not an answer of the server.
  const answer = earlier.findLast(
    ({ role, metadata }) => role === "assistant" && (asked !== undefined || hasRun(metadata)),
  );
  const parents = [answer, asked].flatMap((message) => message?.id ?? []);
  return { ...request, messages: messages.slice(from), parentId: parents.length === 0 ? null : parents };
}

/** The message with its calls alone: the server reads the page's answers to them, and has everything else. */
function answersOf(message: UIMessage): UIMessage {
  const parts = message.parts.filter((part) => part.type === "step-start" || isToolUIPart(part));
  return { id: message.id, role: message.role, parts };
}

function hasRun(metadata: unknown): boolean {
  return typeof (Object(metadata) as { readonly runId?: unknown }).runId === "string";
}
