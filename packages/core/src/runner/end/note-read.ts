import type { JsonValue } from "../../contracts/json.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import type { BegunRun } from "../start/begin-run.ts";
import { readPrefix } from "../start/session-approvals.ts";

/**
 * Notes in the session's state what the model has read: later runs of the session start under it,
 * whatever they see of the messages. Notes are added and never replaced, so that two runs at once lose none.
 */
export function noteRead(run: BegunRun): void {
  if (run.settings.session === undefined) return;
  const read = run.flow?.controlLabel();
  if (read === undefined || (read.integrity !== "untrusted" && read.readers === "public")) return;
  const { journal, definition } = run;
  const readers = typeof read.readers === "string" ? read.readers : read.readers.toSorted();
  const value: JsonValue = { integrity: read.integrity, readers, ...(read.assumed === true && { assumed: true }) };
  const stateKey = `${readPrefix}${definition.hasher.sha256(canonicalJson(value)).slice(0, 16)}`;
  if (!Object.hasOwn(journal.state.sessionState, stateKey)) journal.record({ type: "state.changed", stateKey, value });
}
