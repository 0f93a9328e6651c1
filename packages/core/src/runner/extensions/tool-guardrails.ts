import type { ToolInputGuardrail, ToolOutputGuardrail } from "../../contracts/guardrail.ts";
import { ownCopy } from "../../user-code/copies.ts";
import { verdictOf } from "../hooks/guardrails-runner.ts";
import { decide } from "../hooks/hooks-runner.ts";
import { reasonOf } from "../hooks/hook-failures.ts";
import type { Part } from "../part.ts";
import type { Run } from "../run.ts";

/** The part that asks a tool-input guardrail. */
export function inputGuardrailPart(guardrail: ToolInputGuardrail): Part<Run> {
  const { name, tools } = guardrail;
  return {
    name,
    tools,
    moments: ["made", "changed"],
    async gate(call) {
      const { run, toolCallId, toolName } = call;
      const answer = await decide(
        run,
        name,
        () => guardrail.validate({ toolCallId, toolName, input: ownCopy(call.input) }, run.context),
        (given) => verdictOf(run, name, ownCopy(given)),
      );
      if (!answer.ok) {
        const reason = reasonOf(call, answer.failure.error);
        const message = `The call of "${toolName}" was refused: the guardrail "${name}" failed (${reason}). Nothing ran.`;
        return { refuse: { message, code: "GUARDRAIL_FAILED" } };
      }
      const verdict = answer.value;
      run.journal.record({ type: "guardrail.decided", kind: "tool_input", name, verdict, toolCallId });
      if (!verdict.pass) {
        const message = `The guardrail "${name}" refused the call of "${toolName}": ${verdict.reason}. Nothing ran.`;
        return { refuse: { message, code: "GUARDRAIL_BLOCKED" } };
      }
      return verdict.replace === undefined ? undefined : { replace: verdict.replace, by: `the guardrail "${name}"` };
    },
  };
}

/** The part that asks a tool-output guardrail. */
export function outputGuardrailPart(guardrail: ToolOutputGuardrail): Part<Run> {
  const { name, tools } = guardrail;
  return {
    name,
    tools,
    async review({ call, content }) {
      const { run, toolCallId, toolName } = call;
      const shown = { toolCallId, toolName, input: ownCopy(call.input), content: ownCopy(content) };
      const answer = await decide(
        run,
        name,
        () => guardrail.validate(shown, run.context),
        (given) => verdictOf(run, name, ownCopy(given)),
      );
      if (!answer.ok) {
        const reason = reasonOf(call, answer.failure.error);
        const message = `The result of "${toolName}" is withheld: the guardrail "${name}" failed (${reason}).`;
        return { refuse: { message, code: "GUARDRAIL_FAILED" } };
      }
      const verdict = answer.value;
      run.journal.record({ type: "guardrail.decided", kind: "tool_output", name, verdict, toolCallId });
      if (!verdict.pass) {
        const message = `The guardrail "${name}" withheld the result of "${toolName}": ${verdict.reason}.`;
        return { refuse: { message, code: "GUARDRAIL_BLOCKED" } };
      }
      return verdict.replace === undefined ? undefined : { content: verdict.replace, by: `the guardrail "${name}"` };
    },
  };
}
