import type { ToolInputGuardrail } from "../../contracts/guardrail.ts";
import { ownCopy } from "../../user-code/copies.ts";
import { verdictOf } from "../hooks/guardrails-runner.ts";
import { decide, expected, isObjectOrNothing } from "../hooks/hooks-runner.ts";
import { fail, finish } from "./call.ts";
import type { PipelineCall } from "./call.ts";
import { validateArguments } from "./validate.ts";

/** Asks `beforeToolExec` and the tool-input guardrails. Both fail closed; what they change is validated again. */
export function intercept(call: PipelineCall): Promise<void> | undefined {
  const { loopHooks, guardrails } = call.run.settings;
  const applicable = guardrails?.toolInput?.filter((guardrail) => appliesTo(guardrail.tools, call.toolName));
  if (loopHooks?.beforeToolExec === undefined && (applicable === undefined || applicable.length === 0))
    return undefined;
  return interceptWith(call, applicable ?? []);
}

/** Whether a guardrail's list of tools holds a tool; no list is all of them. */
export function appliesTo(tools: readonly string[] | undefined, toolName: string): boolean {
  return tools === undefined || tools.includes(toolName);
}

async function interceptWith(call: PipelineCall, guardrails: readonly ToolInputGuardrail[]): Promise<void> {
  await askHook(call);
  for (const guardrail of guardrails) {
    if (call.phase !== "gating") return;
    await askGuardrail(call, guardrail);
  }
}

/** Why a deciding function failed, without known secrets. */
export function reasonOf({ run }: Pick<PipelineCall, "run">, { message }: Error): string {
  return run.definition.secrets?.scrub(message) ?? message;
}

async function askHook(call: PipelineCall): Promise<void> {
  const hook = call.run.settings.loopHooks?.beforeToolExec;
  if (hook === undefined) return;
  const verdict = await decide(
    call.run,
    "beforeToolExec",
    () => hook(call.toolName, ownCopy(call.args)),
    (answer) =>
      expected("beforeToolExec", "{ skip, result }, { args } or nothing", isObjectOrNothing(answer), ownCopy(answer)),
  );
  if (!verdict.ok) {
    fail(
      call,
      "policy_denied",
      `The call of "${call.toolName}" was refused: the beforeToolExec hook failed (${reasonOf(call, verdict.failure.error)}). Nothing ran.`,
      { code: "HOOK_FAILED" },
    );
    return;
  }
  const answer = verdict.value;
  if (!answer) return;
  if (answer.skip === true) {
    finish(call, { output: answer.result ?? "", simulated: true, durationMs: 0 });
    return;
  }
  if ("args" in answer && answer.args !== undefined)
    await validateArguments(call, answer.args, "The arguments that the beforeToolExec hook gave");
}

/** Asks one tool-input guardrail; used again for arguments that a person edited. */
export async function askGuardrail(call: PipelineCall, guardrail: ToolInputGuardrail): Promise<void> {
  const { run, toolCallId, toolName } = call;
  const answer = await decide(
    run,
    guardrail.name,
    () => guardrail.validate({ toolCallId, toolName, input: ownCopy(call.input) }, run.context),
    (given) => verdictOf(run, guardrail.name, ownCopy(given)),
  );
  if (!answer.ok) {
    fail(
      call,
      "policy_denied",
      `The call of "${toolName}" was refused: the guardrail "${guardrail.name}" failed (${reasonOf(call, answer.failure.error)}). Nothing ran.`,
      { code: "GUARDRAIL_FAILED" },
    );
    return;
  }
  const verdict = answer.value;
  run.journal.record({ type: "guardrail.decided", kind: "tool_input", name: guardrail.name, verdict, toolCallId });
  if (!verdict.pass) {
    fail(
      call,
      "policy_denied",
      `The guardrail "${guardrail.name}" refused the call of "${toolName}": ${verdict.reason}. Nothing ran.`,
      { code: "GUARDRAIL_BLOCKED" },
    );
  } else if (verdict.replace !== undefined) {
    await validateArguments(call, verdict.replace, `The arguments that the guardrail "${guardrail.name}" gave`);
  }
}

/** Asks the guardrails that apply to a call, for arguments that were changed after `intercept`. */
export async function askGuardrails(call: PipelineCall): Promise<void> {
  for (const guardrail of call.run.settings.guardrails?.toolInput ?? []) {
    if (call.phase !== "gating") return;
    if (appliesTo(guardrail.tools, call.toolName)) await askGuardrail(call, guardrail);
  }
}
