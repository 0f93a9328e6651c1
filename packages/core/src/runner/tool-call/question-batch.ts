import type { InterruptionData } from "../../contracts/interruption.ts";
import type { JsonValue } from "../../contracts/json.ts";
import type { Hasher } from "../../contracts/ports/hasher.ts";
import type { QuestionOrigin } from "../../contracts/question.ts";
import { canonicalJson } from "../../json/canonical-json.ts";

/** The parts of an approval that decide which card it is on. */
type BatchedApproval = Pick<InterruptionData, "id" | "toolName" | "question" | "batch">;

/**
 * [questions.batch] Hash of what approvals on one card share. Sources of the values are part of it, so that a value from
 * another untrusted text never joins the card. A suspicious call is alone on its card, so that no channel decides it with
 * others.
 *
 * @param place - Where the questions are asked: the run and its turn.
 * @param asked - The approval. One of an inner run has a batch already.
 */
export function batchOf(hasher: Hasher, place: readonly JsonValue[], asked: BatchedApproval): string {
  const { level, reason, values, unusual, developer } = asked.question;
  return hasher.sha256(
    canonicalJson([
      place,
      asked.toolName,
      level === "suspicious" ? asked.id : level,
      reason,
      developer.rules,
      unusual.map(({ kind, text }) => (kind === "found_by_code" ? text : kind)),
      values.map(({ name, decides, origin }) => {
        const { from, text, trusted, author } = origin;
        return [name, decides, from, text, trusted, foreignCall(origin), author];
      }),
      // Ids of calls repeat in other inner runs: an untrusted text of one never counts as that of another.
      values.some(({ origin }) => foreignCall(origin) !== undefined) ? asked.batch : undefined,
    ]),
  );
}

/** The call that returned an untrusted value. Records of trusted tools may differ on one card, as values do. */
function foreignCall({ trusted, callId }: QuestionOrigin): string | undefined {
  return trusted ? undefined : callId;
}
