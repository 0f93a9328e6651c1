import type { Warning } from "../contracts/model-response.ts";
import type { RunContext } from "../contracts/run-context.ts";
import { askUserCode, type CallLimits } from "../user-code/call-user-code.ts";
import type { Registry } from "./create-registry.ts";

/** Which tools are off in a run, by their final names, and a warning for each that threw when it was asked. */
export interface DisabledTools {
  readonly disabled: ReadonlySet<string>;
  readonly warnings: readonly Warning[];
}

const noneOff: DisabledTools = { disabled: new Set(), warnings: [] };

/**
 * Asks every tool that has an `isEnabled` whether it is there in this run. One that throws is off, with a warning.
 *
 * @param registry - The agent's tools.
 * @param ctx - The run.
 * @param limits - Longest wait for each answer, and what ends it early.
 * @returns The final names that are off, and a warning for each that threw.
 */
export async function disabledTools(
  registry: Registry,
  ctx: RunContext,
  limits: Omit<CallLimits, "name">,
): Promise<DisabledTools> {
  const tools = registry.list();
  if (tools.every(({ isEnabled }) => isEnabled === true || isEnabled === undefined)) return noneOff;
  const disabled = new Set<string>();
  const warnings: Warning[] = [];
  await Promise.all(
    tools.map(async ({ name, isEnabled }) => {
      if (isEnabled === true || isEnabled === undefined) return;
      disabled.add(name);
      if (isEnabled === false) return;
      const answer = await askUserCode(() => isEnabled(ctx), { ...limits, name: `isEnabled of ${name}` });
      if (answer.ok && typeof answer.value === "boolean") {
        if (answer.value) disabled.delete(name);
        return;
      }
      const why = answer.ok ? "it returned neither true nor false" : answer.error.message;
      const message = `Tool "${name}" is off in this run: its isEnabled failed with "${why}".`;
      warnings.push({ code: "is_enabled_failed", message, subject: name });
    }),
  );
  return { disabled, warnings };
}
