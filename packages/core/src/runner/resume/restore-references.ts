import type { Run } from "../run.ts";

/** The beginning of every reference. */
const reference = "$ref:";

/**
 * Gives the flow policy the values of references, as parsed by the tools' schemas: a process that continues a run has
 * the tools' outputs from the journal.
 */
export async function restoreReferences({ flow, catalogue, journal }: Run): Promise<void> {
  if (flow === undefined) return;
  for (const { turn, index, toolCallId, toolName, call, outcome, result } of journal.state.calls.values()) {
    const tool = catalogue.get(toolName);
    if (tool?.__validateOutput === undefined || outcome === undefined || outcome.failure !== undefined) continue;
    if (result === undefined || !JSON.stringify(result.message.content).includes(reference)) continue;
    const checked = await tool.__validateOutput(outcome.output);
    if (!checked.ok) continue;
    flow.quarantine({ turn, index, toolCallId, tool, input: undefined, args: call?.args }, checked.value);
  }
}
