import type { GuardrailResult, ToolInputGuardrail, ToolOutputGuardrail } from "../../contracts/guardrail.ts";
import { ownCopy } from "../../user-code/copies.ts";
import { verdictOf, decide } from "../hooks/hooks-runner.ts";
import { reasonOf } from "../hooks/hook-failures.ts";
import type { GatedSubject, Part, Refusal } from "../part.ts";
import type { Run } from "../run.ts";

export function inputGuardrailPart(guardrail: ToolInputGuardrail): Part<Run> {
  const { name, tools } = guardrail;
  return {
    name,
    tools,
    async gate(call, moment) {
      const { run, toolCallId, toolName } = call;
      // A call of a resumed run may have begun before.
      const end = moment === "resumed" ? "" : " Nothing ran.";
      const verdict = await askAbout(call, name, "tool_input", {
        ask: () => guardrail.validate({ toolCallId, toolName, input: ownCopy(call.input) }, run.context),
        failed: (reason) => `The call of "${toolName}" was refused: the guardrail "${name}" failed (${reason}).${end}`,
        blocked: (reason) => `The guardrail "${name}" refused the call of "${toolName}": ${reason}.${end}`,
      });
      if ("refuse" in verdict) return verdict;
      // Recorded arguments never change: they have the replacement that was made then.
      if (verdict.replace === undefined || moment === "resumed") return undefined;
      return { replace: verdict.replace, by: `the guardrail "${name}"` };
    },
  };
}

export function outputGuardrailPart(guardrail: ToolOutputGuardrail): Part<Run> {
  const { name, tools } = guardrail;
  return {
    name,
    tools,
    async review({ call, content }) {
      const { run, toolCallId, toolName } = call;
      const shown = { toolCallId, toolName, input: ownCopy(call.input), content: ownCopy(content) };
      const verdict = await askAbout(call, name, "tool_output", {
        ask: () => guardrail.validate(shown, run.context),
        failed: (reason) => `The result of "${toolName}" is withheld: the guardrail "${name}" failed (${reason}).`,
        blocked: (reason) => `The guardrail "${name}" withheld the result of "${toolName}": ${reason}.`,
      });
      if ("refuse" in verdict) return verdict;
      return verdict.replace === undefined ? undefined : { content: verdict.replace, by: `the guardrail "${name}"` };
    },
  };
}

/** Asks a guardrail about a call and journals its verdict. Returns the refusal if it fails or blocks. */
async function askAbout<T>(
  { run, toolCallId }: Pick<GatedSubject<Run>, "run" | "toolCallId">,
  name: string,
  kind: "tool_input" | "tool_output",
  text: {
    readonly ask: () => GuardrailResult<T> | Promise<GuardrailResult<T>>;
    readonly failed: (reason: string) => string;
    readonly blocked: (reason: string) => string;
  },
): Promise<{ readonly refuse: Refusal } | Extract<GuardrailResult<T>, { pass: true }>> {
  const answer = await decide(run, name, text.ask, (given) => verdictOf(run, name, given));
  if (!answer.ok)
    return { refuse: { message: text.failed(reasonOf({ run }, answer.error)), code: "GUARDRAIL_FAILED" } };
  const verdict = answer.value;
  run.journal.record({ type: "guardrail.decided", kind, name, verdict, toolCallId });
  return verdict.pass ? verdict : { refuse: { message: text.blocked(verdict.reason), code: "GUARDRAIL_BLOCKED" } };
}
