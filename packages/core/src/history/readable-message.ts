import type { Message } from "../contracts/message.ts";
import { canonicalMessage } from "./from-chat-message.ts";
import { messageProblem } from "./message-problem.ts";

/**
 * A stored message in a form that a run can read: repaired if it has another known form, else left out. Versions before
 * the check of `append()`, and other programs, may have written any value into a session.
 *
 * @param message - The stored value.
 * @param warn - Receives the problem.
 */
export function readableMessage(message: Message, warn: (problem: string) => void): readonly Message[] {
  const problem = messageProblem(message);
  if (problem === undefined) return [message];
  try {
    const repaired = canonicalMessage(message, {});
    warn(`${problem}. It was repaired`);
    return [repaired];
  } catch {
    warn(`${problem}. It was left out`);
    return [];
  }
}
