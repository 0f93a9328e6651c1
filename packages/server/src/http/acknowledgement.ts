import type { Decision, InterruptionData } from "@bailiwick/core";
import { RequestError } from "./request-error.ts";

/** A decision of a client. `acknowledged` says that the person has seen the level of a suspicious question. */
export type ClientDecision = Decision & { readonly acknowledged?: "suspicious" | undefined };

/** True if one yes is not enough: the question is an approval that the policy calls suspicious. */
function needsAcknowledgement({ kind, question }: Pick<InterruptionData, "kind" | "question">): boolean {
  return kind === "approval" && question.level === "suspicious";
}

/** The decision about a question that a client was asked once more. */
export function acknowledging<Made extends Decision>(decision: Made, isSecond: boolean): ClientDecision {
  return isSecond && decision.type === "approve" ? { ...decision, acknowledged: "suspicious" } : decision;
}

/** True for a plain yes to a suspicious question. */
export function isUnacknowledged(decision: ClientDecision, open: readonly InterruptionData[]): boolean {
  if (decision.type !== "approve" || decision.acknowledged === "suspicious") return false;
  const question = open.find(({ id }) => id === decision.id);
  return question !== undefined && needsAcknowledgement(question);
}

/**
 * The decision as the run takes it.
 *
 * @throws RequestError `SUSPICIOUS_NOT_ACKNOWLEDGED` for a plain yes to a suspicious question.
 */
export function acknowledgedDecision(decision: ClientDecision, open: readonly InterruptionData[]): Decision {
  if (isUnacknowledged(decision, open)) {
    throw new RequestError(
      409,
      "SUSPICIOUS_NOT_ACKNOWLEDGED",
      `"${decision.id}" is suspicious: a value that an outsider wrote decides in it. Show the person the level, the facts and the sources, and send "acknowledged": "suspicious" with a second, separate yes. Nothing changed.`,
    );
  }
  const { acknowledged: _acknowledged, ...plain } = decision;
  return plain;
}
