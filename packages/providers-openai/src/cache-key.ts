import type { Message, ModelRequest, SystemMessage } from "@bailiwick/core/provider";
import { wireToolName } from "@bailiwick/core/provider";

/** Pattern of a key: `wireToolName` shortens and hashes other names. */
const limits = { pattern: /^[\w.-]+$/, maxLength: 64 };

/**
 * The vendor's key for requests that share a prefix. Parallel agents have separate sessions, so the key is made from
 * their common instructions and tools.
 *
 * @param request - The request.
 * @returns `undefined` if caching is off or nothing is shared.
 */
export function cacheKey(request: ModelRequest): string | undefined {
  if (request.caching === false) return undefined;
  if (request.caching !== "shared") {
    return request.sessionId === undefined ? undefined : wireToolName(request.sessionId, limits);
  }
  const tools = (request.tools ?? []).map(({ name }) => name);
  const instructions = leadingSystem(request.messages).map(({ content }) => content);
  return wireToolName(["shared", ...tools, ...instructions].join("\n"), limits);
}

/**
 * The system messages that a conversation begins with: the prefix that parallel agents share.
 *
 * @param messages - The conversation.
 */
export function leadingSystem(messages: readonly Message[]): readonly SystemMessage[] {
  const end = messages.findIndex(({ role }) => role !== "system");
  return (end === -1 ? messages : messages.slice(0, end)).filter((message) => message.role === "system");
}
