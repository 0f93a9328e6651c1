import type { Decision } from "../../contracts/interruption.ts";
import { DecisionError } from "../../errors/run-errors.ts";

const kinds: ReadonlySet<string> = new Set<Decision["type"]>([
  "approve",
  "reject",
  "answer",
  "it_happened",
  "it_did_not_happen",
  "give_up",
]);

/**
 * Checks the form of a decision: it may come from anywhere, such as the body of a request.
 *
 * @throws DecisionError `DECISION_INVALID` saying what is wrong with it. What is not understood is never guessed at.
 */
export function checkDecisionForm(runId: string, given: unknown): asserts given is Decision {
  const decision: Partial<Record<string, unknown>> = typeof given === "object" && given !== null ? given : {};
  const id = typeof decision["id"] === "string" ? decision["id"] : "";
  const refuse = (what: string): never => {
    throw new DecisionError(
      "DECISION_INVALID",
      id,
      `A decision for run "${runId}" cannot be used: ${what}. Nothing changed; make decisions with the methods of an interruption.`,
      { runId },
    );
  };
  if (id === "") refuse("it has no id");
  if (typeof decision["type"] !== "string" || !kinds.has(decision["type"]))
    refuse(`its type must be one of ${[...kinds].join(", ")}`);
  const { remember } = decision;
  if (remember !== undefined && remember !== "call" && remember !== "tool")
    refuse(`"remember" must be "call" or "tool"`);
  for (const name of ["decidedBy", "channel", "token", "reason"]) {
    if (decision[name] !== undefined && typeof decision[name] !== "string") refuse(`"${name}" must be a text`);
  }
}
