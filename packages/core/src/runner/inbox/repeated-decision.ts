import type { Decision } from "../../contracts/interruption.ts";
import { DecisionError } from "../../errors/run-errors.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import type { DecidedQuestion } from "../../journal/run-state.ts";
import { checkAnswers } from "../tool-call/approval-binding.ts";
import type { DecisionCheck } from "../tool-call/approval-binding.ts";
import { meantDecision } from "../tool-call/secret-arguments.ts";

/**
 * Leaves out the decisions that the run has recorded already, so that delivering a decision twice has the effect of
 * delivering it once.
 *
 * @throws DecisionError `DECISION_USED` for a decision that differs from the recorded one about the same question, or
 * from another one of the same call; `DECISION_KIND` or `DECISION_FORGED` as for an open question.
 */
export function newDecisions(check: DecisionCheck, decisions: readonly Decision[]): readonly Decision[] {
  const fresh = new Map<string, Decision>();
  for (const decision of decisions) {
    const { id } = decision;
    const decided = check.state.decided.get(id);
    const other = fresh.get(id);
    if (decided !== undefined) checkRepeated(check, decision, decided);
    else if (other === undefined) fresh.set(id, decision);
    else if (contentOf(check, other) !== contentOf(check, decision)) {
      throw new DecisionError("DECISION_USED", id, `"${id}" is decided twice in one call. Nothing changed.`, {
        runId: check.runId,
      });
    }
  }
  return [...fresh.values()];
}

function checkRepeated(check: DecisionCheck, decision: Decision, decided: DecidedQuestion): void {
  const { interruption, via, call } = decided;
  if (interruption !== undefined) checkAnswers(check, decision, interruption);
  // The question had expired: every decision about it had the same effect.
  if (via === "expired") return;
  const meant = call === undefined ? decision : meantDecision(check.definition, decision, call.call?.args);
  if (contentOf(check, meant) === contentOf(check, decided.decision)) return;
  const about = interruption === undefined ? "" : ` about "${interruption.toolName}"`;
  throw new DecisionError(
    "DECISION_USED",
    decision.id,
    `The question "${decision.id}"${about} was decided before as "${decided.decision.type}", and a decision counts once. Nothing changed.`,
    { runId: check.runId },
  );
}

/** What a decision decides, as the journal may hold it: without its origin, its token and known secrets. */
function contentOf({ definition }: DecisionCheck, decision: Decision): string {
  const { decidedBy: _by, channel: _channel, token: _token, ...content } = decision;
  return canonicalJson(definition.secrets?.scrub(content) ?? content);
}
