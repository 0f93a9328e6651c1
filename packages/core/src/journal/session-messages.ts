import type { Message } from "../contracts/message.ts";
import { CorruptExportError } from "../errors/session-errors.ts";
import { invalidMessage, messageProblem } from "../history/message-problem.ts";
import { isSealed } from "./sealed-record.ts";
import { readSession, type ParsedSession } from "./session-text.ts";

/**
 * Refuses messages that no run could read, before they are stored.
 *
 * @param messages - Messages that a session is about to get.
 * @throws ConfigurationError `INVALID_MESSAGE`
 */
export function checkMessages(messages: readonly Message[]): void {
  if (!Array.isArray(messages)) throw invalidMessage("s must be an array");
  for (const [index, message] of messages.entries()) {
    const problem = storedProblem(message);
    if (problem !== undefined) throw invalidMessage(problem, index);
  }
}

/** The problem of a message as a store gets it; only its owner can read a sealed one. */
function storedProblem(message: unknown): string | undefined {
  const { id, sealed } = Object(message) as { readonly id?: unknown; readonly sealed?: unknown };
  return isSealed(sealed) && typeof id === "string" ? undefined : messageProblem(message);
}

/**
 * Reads what `printSession` wrote.
 *
 * @param jsonl - The text that `printSession` returned.
 * @throws CorruptExportError also for a message that no run can read.
 */
export function parseSession(jsonl: string): ParsedSession {
  const session = readSession(jsonl);
  for (const [index, message] of session.messages.entries()) {
    const problem = storedProblem(message);
    if (problem !== undefined) throw new CorruptExportError(index + 2, `message${problem}`);
  }
  return session;
}
