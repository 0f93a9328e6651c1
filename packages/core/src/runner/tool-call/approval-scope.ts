import type { JsonValue } from "../../contracts/json.ts";
import type { ResolvedTool } from "../../contracts/resolved-tool.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import type { Run } from "../run.ts";
import type { InterruptionData } from "../../contracts/interruption.ts";
import type { Hasher } from "../../contracts/ports/hasher.ts";
import type { QuestionOrigin } from "../../contracts/question.ts";

/** True if the developer of the agent wrote the tool: only then may its texts change under an open approval. */
export function isFirstParty({ __trustClass }: Pick<ResolvedTool, "__trustClass">): boolean {
  return __trustClass === "first-party-user-defined" || __trustClass === "first-party-built-in";
}

/**
 * Hash of a tool's definition, class and key rule. A decision that is remembered for later calls covers it, and so does
 * an approval of a tool of a server or skill.
 */
export function boundDefinition({ agent }: Pick<Run, "agent">, tool: BoundTool): string {
  return agent.hasher.sha256(`${tool.__definitionHash}\n${tool.__sideEffectClass}\n${String(tool.idempotencyKey)}`);
}

/** Facts of a tool that a question about its calls binds. */
export type BoundTool = Pick<ResolvedTool, "__definitionHash" | "__sideEffectClass" | "idempotencyKey">;

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
