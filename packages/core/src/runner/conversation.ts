import type { Message } from "../contracts/message.ts";
import type { RunOptions, RunSettings } from "../contracts/run-options.ts";

/** What a run goes on from. */
export interface Conversation {
  readonly history: readonly Message[];
  readonly state: Readonly<Record<string, unknown>>;
}

/**
 * Loads the session, and puts the messages that the run was given after it.
 *
 * @param given - The run's own earlier messages.
 */
export async function loadConversation(
  settings: RunSettings,
  options: RunOptions,
  sessionId: string,
  given: readonly Message[],
): Promise<Conversation> {
  if (settings.session === undefined) return { history: given, state: {} };
  const session = await settings.session.load(sessionId, { tenantId: options.tenantId });
  return { history: given.length === 0 ? session.messages : [...session.messages, ...given], state: session.state };
}
