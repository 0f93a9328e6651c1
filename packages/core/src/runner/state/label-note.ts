import type { JsonValue } from "../../contracts/json.ts";
import type { Label } from "../../contracts/label.ts";
import type { Hasher } from "../../contracts/ports/hasher.ts";
import { readPrefix } from "../../journal/fold-session-state.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import type { LabelNote } from "./session-state.ts";

/** A label as a session's state stores it; `undefined` for a label that restricts nothing. */
export function labelNote(hasher: Hasher, label: Label | undefined): LabelNote | undefined {
  if (label === undefined || (label.integrity !== "untrusted" && label.readers === "public")) return undefined;
  const readers = typeof label.readers === "string" ? label.readers : label.readers.toSorted();
  const value: JsonValue = { integrity: label.integrity, readers, ...(label.assumed === true && { assumed: true }) };
  return { key: `${readPrefix}${hasher.sha256(canonicalJson(value)).slice(0, 16)}`, value };
}
