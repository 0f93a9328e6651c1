import type { JournalEvent } from "../../contracts/journal-event.ts";
import { shownRecord } from "../../journal/scrubbed-record.ts";
import type { AgentDefinition } from "../agent.ts";

/** Records of a stored run as they may be seen: a sealed journal keeps arguments whole, known secrets included. */
export async function shownEvents(
  { secrets, sealer }: Pick<AgentDefinition, "secrets" | "sealer">,
  events: readonly JournalEvent[],
): Promise<readonly JournalEvent[]> {
  if (sealer === undefined) return events;
  await secrets?.ready();
  return events.map((event) => shownRecord(event, secrets));
}
