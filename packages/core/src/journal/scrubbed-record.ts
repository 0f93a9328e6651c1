import type { JournalEvent, JournalEventInput } from "../contracts/journal-event.ts";
import type { SecretsPort } from "../contracts/ports/security.ts";

type Scrubber = Pick<SecretsPort, "scrub">;

/** Records with arguments: a sealed journal keeps them unchanged, because approved arguments are never altered. */
const withArguments: ReadonlySet<JournalEventInput["type"]> = new Set<JournalEventInput["type"]>([
  "tool.call",
  "tool.approval.requested",
  "tool.approval.decided",
  "tool.intent",
  "tool.outcome",
  "flow.decided",
  "input.requested",
  "input.answered",
  "child.suspended",
  "child.decided",
  "model.decided",
  "signal.taken",
]);

/**
 * A record without known secrets, in its stored form.
 *
 * @param sealed - True if the record is sealed before the store gets it.
 */
export function keptRecord(given: JournalEventInput, secrets: Scrubber, sealed: boolean): JournalEventInput {
  if (!sealed) return secrets.scrub(given);
  if (withArguments.has(given.type)) return given;
  if (given.type !== "model.result" || given.exactArguments === undefined) return secrets.scrub(given);
  const { exactArguments, ...rest } = given;
  return { ...secrets.scrub(rest), exactArguments };
}

/** A record for people and programs outside the run: without known secrets, also if the journal keeps them sealed. */
export function shownRecord(event: JournalEvent, secrets: Scrubber | undefined): JournalEvent {
  let shown = event;
  if (event.type === "model.result" && event.exactArguments !== undefined) {
    const { exactArguments: _kept, ...rest } = event;
    shown = rest;
  }
  return secrets === undefined ? shown : secrets.scrub(shown);
}
