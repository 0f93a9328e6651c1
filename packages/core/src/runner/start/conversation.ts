import type { Message } from "../../contracts/message.ts";
import type { RememberedDecision } from "../../contracts/remembered-decision.ts";
import type { RunOptions } from "../../contracts/run-options.ts";
import { sealedSessions } from "../../journal/sealed-sessions.ts";
import { callerOf } from "../caller/caller.ts";
import type { BegunRun } from "./begin-run.ts";
import { openSessionState } from "./session-approvals.ts";

/** What a run goes on from. */
export interface Conversation {
  readonly history: readonly Message[];
  /** How many of the last of them the run was given, and no session has kept. */
  readonly given: number;
  readonly state: Readonly<Record<string, unknown>>;
  /** What people decided for later calls too: in the session, or in the calling run. */
  readonly remembered: readonly RememberedDecision[];
}

/**
 * Loads the session, and puts the messages that the run was given after it.
 *
 * @param given - The run's own earlier messages.
 */
export async function loadConversation(
  run: BegunRun,
  options: RunOptions,
  sessionId: string,
  given: readonly Message[],
): Promise<Conversation> {
  const { settings, definition } = run;
  const inherited = callerOf(options.parent)?.remembered() ?? [];
  const handed = callerOf(options.parent)?.handedState();
  await handed?.save();
  if (settings.session === undefined)
    return { history: given, given: given.length, state: handed?.current() ?? {}, remembered: inherited };
  const { tenantId, userId } = run.context;
  const owner = { tenantId, userId };
  const session = await sealedSessions(settings.session, definition.sealer).load(sessionId, owner);
  const { state, remembered, refused } = openSessionState(definition, { sessionId, ...owner }, session.state);
  if (refused > 0) {
    run.warn({
      code: "remembered_refused",
      message: `Session "${sessionId}" holds ${refused} remembered decision(s) that were made for another session or are not signed with this agent's key. They do not count; people are asked again.`,
      subject: sessionId,
    });
  }
  return {
    history: given.length === 0 ? session.messages : [...session.messages, ...given],
    given: given.length,
    state: handed?.current() ?? state,
    remembered: [...remembered, ...inherited],
  };
}
