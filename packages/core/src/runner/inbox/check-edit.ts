import { DecisionError } from "../../errors/run-errors.ts";
import { durableJson } from "../../json/checked-json.ts";
import { isExtract } from "../../tools/extract.ts";
import type { DrivenRun } from "../driven-run.ts";
import type { BoundDecision } from "../tool-call/approval-binding.ts";
import { meantDecision } from "../tool-call/secret-arguments.ts";
import { describeIssues } from "../tool-call/validate.ts";

/**
 * Refuses arguments that an approver edited and the tool does not take: the question stays open. A schema that answers
 * later, and a tool of a run inside the call, check the arguments when the call continues.
 *
 * @throws DecisionError `EDIT_INVALID`
 */
export function checkEdit(run: DrivenRun, { decision, call, interruption }: BoundDecision): void {
  if (decision.type !== "approve" || decision.args === undefined) return;
  if (call.child?.interruptions.includes(interruption) === true) return;
  const tool = run.catalogue.get(call.toolName);
  if (tool === undefined) return;
  const refuse = (why: string): never => {
    throw new DecisionError(
      "EDIT_INVALID",
      decision.id,
      `The edited arguments of "${call.toolName}" cannot be used: ${why}. Nothing ran; the question stays open.`,
      { runId: run.runId },
    );
  };
  const meant = meantDecision(run.definition, decision, call.call?.args);
  const args = meant.type === "approve" ? meant.args : decision.args;
  const json = durableJson(args);
  if (!json.ok) refuse(`they hold ${json.problem}, which is not plain JSON`);
  try {
    const checked = tool.__validateInput(isExtract(tool) ? args : (run.flow?.resolveReferences(args) ?? args));
    if (checked instanceof Promise) checked.catch(() => undefined);
    else if (!checked.ok) refuse(describeIssues(checked.issues).replace(/\.$/, ""));
  } catch (error) {
    if (DecisionError.isInstance(error)) throw error;
    refuse(error instanceof Error ? error.message : String(error));
  }
}
