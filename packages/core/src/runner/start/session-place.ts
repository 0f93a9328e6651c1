import type { Owner } from "../../contracts/owner.ts";
import { sealedSessions } from "../../journal/sealed-sessions.ts";
import type { AgentDefinition } from "../active-run.ts";
import type { Caller } from "../caller/caller.ts";
import type { EffectiveSettings } from "../settings/run-settings.ts";
import type { SessionPlace } from "../state/session-state.ts";

/** The session that keeps a run's state: after a handoff, that of the run which handed the conversation over. */
export function sessionPlaceOf(
  { sealer }: Pick<AgentDefinition, "sealer">,
  { session }: Pick<EffectiveSettings, "session">,
  caller: Caller | undefined,
  sessionId: string,
  owner: Owner,
): SessionPlace | undefined {
  const handed = caller?.handedState();
  if (handed !== undefined) return handed.place;
  return session === undefined ? undefined : { store: sealedSessions(session, sealer), sessionId, owner };
}
