import type { ToolOutputGuardrail } from "../../contracts/guardrail.ts";
import { ownCopy } from "../../user-code/copies.ts";
import { verdictOf } from "../hooks/guardrails-runner.ts";
import { decide, expected } from "../hooks/hooks-runner.ts";
import { contentPartProblem } from "./content-parts.ts";
import { appliesTo, reasonOf } from "./intercept.ts";
import { refuse, textOfContent, withText } from "./presentation.ts";
import type { Presentation } from "./presentation.ts";

/** Asks `afterToolExec` and the tool-output guardrails about what the model would read. Both fail closed. */
export function review(presentation: Presentation): Promise<void> | undefined {
  if (presentation.ownText) return undefined;
  const { loopHooks, guardrails } = presentation.call.run.settings;
  const applicable =
    guardrails?.toolOutput?.filter((guardrail) => appliesTo(guardrail.tools, presentation.call.toolName)) ?? [];
  if (loopHooks?.afterToolExec === undefined && applicable.length === 0) return undefined;
  return reviewWith(presentation, applicable);
}

async function reviewWith(presentation: Presentation, guardrails: readonly ToolOutputGuardrail[]): Promise<void> {
  await askHook(presentation);
  for (const guardrail of guardrails) {
    if (presentation.ownText) return;
    await askGuardrail(presentation, guardrail);
  }
}

async function askHook(presentation: Presentation): Promise<void> {
  const { call } = presentation;
  const hook = call.run.settings.loopHooks?.afterToolExec;
  if (hook === undefined) return;
  const answer = await decide(
    call.run,
    "afterToolExec",
    () => hook(call.toolName, textOfContent(presentation.content)),
    (answer) =>
      expected(
        "afterToolExec",
        "a text or nothing",
        answer === undefined || answer === null || typeof answer === "string",
        answer,
      ),
  );
  if (!answer.ok) {
    refuse(
      presentation,
      "policy_denied",
      `The result of "${call.toolName}" is withheld: the afterToolExec hook failed (${reasonOf(call, answer.failure.error)}).`,
      "HOOK_FAILED",
    );
  } else if (typeof answer.value === "string") {
    presentation.content = withText(presentation.content, answer.value);
    replaceFailureText(presentation, answer.value);
  }
}

async function askGuardrail(presentation: Presentation, guardrail: ToolOutputGuardrail): Promise<void> {
  const { call } = presentation;
  const { run, toolCallId, toolName } = call;
  const answer = await decide(
    run,
    guardrail.name,
    () =>
      guardrail.validate(
        { toolCallId, toolName, input: ownCopy(call.input), content: ownCopy(presentation.content) },
        run.context,
      ),
    (given) => verdictOf(run, guardrail.name, ownCopy(given)),
  );
  if (!answer.ok) {
    refuse(
      presentation,
      "policy_denied",
      `The result of "${toolName}" is withheld: the guardrail "${guardrail.name}" failed (${reasonOf(call, answer.failure.error)}).`,
      "GUARDRAIL_FAILED",
    );
    return;
  }
  const verdict = answer.value;
  run.journal.record({ type: "guardrail.decided", kind: "tool_output", name: guardrail.name, verdict, toolCallId });
  if (!verdict.pass) {
    refuse(
      presentation,
      "policy_denied",
      `The guardrail "${guardrail.name}" withheld the result of "${toolName}": ${verdict.reason}.`,
      "GUARDRAIL_BLOCKED",
    );
    return;
  }
  const { replace } = verdict;
  if (replace === undefined) return;
  if (typeof replace !== "string" && contentPartProblem(replace) !== undefined) {
    refuse(
      presentation,
      "policy_denied",
      `The result of "${toolName}" is withheld: the guardrail "${guardrail.name}" gave a replacement that is no content.`,
      "GUARDRAIL_FAILED",
    );
    return;
  }
  presentation.content = replace;
  replaceFailureText(presentation, textOfContent(replace));
}

/** What was replaced does not live on in the failure's message. */
function replaceFailureText(presentation: Presentation, text: string): void {
  if (presentation.failure !== undefined) presentation.failure = { ...presentation.failure, message: text };
}
