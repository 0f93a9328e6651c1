import type { Warning } from "../contracts/model-response.ts";
import type { RunContext } from "../contracts/run-context.ts";
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
 * @returns The final names that are off, and a warning for each that threw.
 */
export async function disabledTools(registry: Registry, ctx: RunContext): Promise<DisabledTools> {
  const tools = registry.list();
  if (tools.every(({ isEnabled }) => isEnabled === true || isEnabled === undefined)) return noneOff;
  const disabled = new Set<string>();
  const warnings: Warning[] = [];
  await Promise.all(
    tools.map(async ({ name, isEnabled }) => {
      if (isEnabled === true || isEnabled === undefined) return;
      try {
        if (isEnabled !== false && (await isEnabled(ctx))) return;
      } catch (error) {
        const message = `Tool "${name}" is off in this run: its isEnabled failed with "${error instanceof Error ? error.message : String(error)}".`;
        warnings.push({ code: "is_enabled_failed", message, subject: name });
      }
      disabled.add(name);
    }),
  );
  return { disabled, warnings };
}
