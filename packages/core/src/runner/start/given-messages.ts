import type { Message } from "../../contracts/message.ts";
import type { RunOptions } from "../../contracts/run-options.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";
import { conversations } from "../../journal/sealed-sessions.ts";
import { ownCopy } from "../../user-code/copies.ts";

/**
 * Earlier messages that a run is given, copied and in canonical form.
 *
 * @throws ConfigurationError `INVALID_MESSAGE` with the path; `CONFLICTING_OPTIONS`
 */
export async function givenMessages(
  { messages, conversationHistory }: RunOptions,
  nextId?: () => string,
): Promise<readonly Message[]> {
  if (messages !== undefined && conversationHistory !== undefined) {
    throw new ConfigurationError(
      "CONFLICTING_OPTIONS",
      `A run has both "messages" and "conversationHistory", which are two names of one thing. Keep one.`,
    );
  }
  const given = messages ?? conversationHistory ?? [];
  if (given.length === 0) return [];
  return conversations(({ canonicalMessage }) =>
    given.map((message, index) => ownCopy(canonicalMessage(message, { id: nextId?.() }, index))),
  );
}
