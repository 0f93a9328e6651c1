import type { JournalEvent } from "../../contracts/journal-event.ts";
import { shownRecord } from "../../journal/scrubbed-record.ts";
import type { Agent } from "../run.ts";

/** Records of a stored run as they may be seen: a sealed journal keeps arguments whole, known secrets included. */
export async function shownEvents(
  { secrets, sealer }: Pick<Agent, "secrets" | "sealer">,
  events: readonly JournalEvent[],
): Promise<readonly JournalEvent[]> {
  if (sealer === undefined) return events;
  await secrets?.ready();
  return events.map((event) => shownRecord(event, secrets));
}
