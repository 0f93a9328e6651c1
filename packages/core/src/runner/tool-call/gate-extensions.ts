import type { Extension, GateVerdict } from "../../contracts/extension.ts";
import { ownCopy } from "../../user-code/copies.ts";
import { extensionContext, type ActiveExtension } from "../extensions/active-extension.ts";
import { decide, expected } from "../hooks/hooks-runner.ts";
import { fail, toolOf } from "./call.ts";
import type { PipelineCall } from "./call.ts";
import { askGuardrails, reasonOf } from "./intercept.ts";
import { hashArguments, validateArguments } from "./validate.ts";

/** Rounds in which extensions may change the arguments of one call. */
const mostChanges = 5;

/**
 * Asks the gates of all extensions about a call and joins their verdicts: refuse over ask over nothing. Arguments that
 * one of them changes pass the schema, the guardrails and every gate again.
 */
export function extend(call: PipelineCall): Promise<void> | undefined {
  const gates = call.run.extensions.filter(({ extension }) => extension.gate !== undefined);
  return gates.length === 0 ? undefined : askGates(call, gates);
}

async function askGates(call: PipelineCall, gates: readonly ActiveExtension[]): Promise<void> {
  for (let round = 0; round <= mostChanges; round += 1) {
    const changed = await askOnce(call, gates);
    if (call.phase !== "gating" || changed === undefined) return;
    const { name, args } = changed;
    if (call.state.call !== undefined && hashArguments(call, args) !== call.argsHash)
      return refuse(call, `the extension "${name}" changed arguments that are recorded already`);
    await validateArguments(call, args, `The arguments that the extension "${name}" gave`);
    if (call.phase !== "gating") return;
    await askGuardrails(call);
  }
  refuse(call, "its extensions kept changing its arguments");
}

/** Asks each gate once. @returns the first changed arguments; nothing when all gates have looked at them as they are. */
async function askOnce(
  call: PipelineCall,
  gates: readonly ActiveExtension[],
): Promise<{ readonly name: string; readonly args: unknown } | undefined> {
  const { toolCallId, toolName } = call;
  const { __sideEffectClass: sideEffectClass } = toolOf(call);
  call.mustAsk = undefined;
  for (const active of gates) {
    const { name } = active.extension;
    const hook = `extension ${name}`;
    const answer = await decide<GateVerdict | void>(
      call.run,
      hook,
      () =>
        active.extension.gate?.(
          { toolCallId, toolName, args: ownCopy(call.args), sideEffectClass },
          extensionContext(active, call.run),
        ),
      (given) => readVerdict(hook, given),
    );
    if (!answer.ok) {
      refuse(call, `the extension "${name}" failed (${reasonOf(call, answer.failure.error)})`);
      return undefined;
    }
    const verdict = answer.value;
    if (verdict === undefined) continue;
    if ("refuse" in verdict) {
      refuse(call, `the extension "${name}" refused it (${verdict.refuse})`);
      return undefined;
    }
    if ("ask" in verdict) call.mustAsk ??= verdict.ask;
    else if (hashArguments(call, verdict.args) !== call.argsHash) return { name, args: verdict.args };
  }
  return undefined;
}

function readVerdict(
  hook: string,
  given: Awaited<ReturnType<NonNullable<Extension["gate"]>>>,
): GateVerdict | undefined {
  const verdict = ownCopy(given) as Partial<Record<"refuse" | "ask" | "args", unknown>> | undefined | null;
  if (verdict === undefined || verdict === null) return undefined;
  const holds =
    typeof verdict === "object" &&
    (typeof verdict.refuse === "string" || typeof verdict.ask === "string" || "args" in verdict);
  return expected(hook, "{ refuse }, { ask }, { args } or nothing", holds, verdict as GateVerdict);
}

function refuse(call: PipelineCall, why: string): void {
  fail(call, "policy_denied", `The call of "${call.toolName}" did not run: ${why}.`, { code: "EXTENSION_REFUSED" });
}
