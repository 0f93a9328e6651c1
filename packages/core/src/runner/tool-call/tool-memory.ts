import type { Label, Integrity, Readers } from "../../contracts/label.ts";
import type { MemoryAccess } from "../../contracts/ports/memory-store.ts";
import { BailiwickError } from "../../errors/bailiwick-error.ts";
import { memoryHost } from "../model/recalled-context.ts";
import { toolOf, type PipelineCall } from "./call.ts";
import { leavesNothing } from "./fakes.ts";
import type { ResultLabel } from "../../contracts/tool-flow.ts";
import type { ReadLabel, Run } from "../run.ts";

/** Label of values that no policy labels: untrusted. */
const unlabelled: Label = {
  id: "untrusted",
  integrity: "untrusted",
  readers: "public",
  parents: [],
  origin: { kind: "join" },
};

/** The label of what a call stores beside its result. */
export function storedLabelOf({ run, toolCallId }: PipelineCall): Label {
  return run.flow?.storedLabel("memory", toolCallId, readIn(run, toolCallId)) ?? unlabelled;
}

/** Memory for one call: under its tool's tier, with the call's label. `undefined` if the agent has none. */
export function toolMemory(call: PipelineCall): MemoryAccess | undefined {
  const { run, toolName, toolCallId } = call;
  const { memory } = run.settings;
  if (memory === undefined) return undefined;
  const { userId } = run.context;
  const { secrets } = run.agent;
  const access = memory.accessFor(
    run.context,
    {
      toolName,
      toolCallId,
      tier: toolOf(call).memoryGuardTier,
      get label() {
        return storedLabelOf(call);
      },
      principals: userId === undefined ? [] : [`user:${userId}`],
      approved: call.permit?.approvalId !== undefined || call.state.approval?.decision?.type === "approve",
    },
    memoryHost(run),
  );
  return {
    async recall(query, options) {
      const recalled = await access.recall(query, options);
      for (const one of recalled) run.recalled.set(toolCallId, joinResultLabels(run.recalled.get(toolCallId), one));
      return recalled;
    },
    async forget(id) {
      demandStore(call);
      return access.forget(id);
    },
    async remember(text, options) {
      demandStore(call);
      const key = await access.remember(secrets?.scrub(text) ?? text, secrets?.scrub(options) ?? options);
      const { eventBus, runId, agentName, tenantId } = run.context;
      if (eventBus.hasListeners("memory.stored"))
        eventBus.emit("memory.stored", { runId, agentName, store: options?.kind ?? "memory", key, tenantId });
      return key;
    },
  };
}

/** A run with fakes writes no memory, unless the store belongs to its caller. */
function demandStore({ run, toolName }: PipelineCall): void {
  if (!leavesNothing(run)) return;
  throw new BailiwickError(
    "FAKE_MISSING",
    `the run has fakes, and "${toolName}" would write the memory of its agent. Nothing was written. Add a fake for "${toolName}".`,
    { runId: run.runId },
  );
}

/** Best first. */
const integrities: readonly Integrity[] = ["system", "user", "verified", "untrusted"];

/** Join of two labels of a result: the lower trust, and the common readers. */
export function joinResultLabels(a: ResultLabel | undefined, b: ReadLabel): ReadLabel {
  return {
    integrity: worse(a?.integrity ?? "system", b.integrity),
    readers: common(a?.readers ?? "public", b.readers),
  };
}

/** Labels of the data that a call has read besides its arguments: memories, and the input of inner runs. */
export function readBy(
  { recalled, readInside }: Pick<Run, "recalled" | "readInside">,
  toolCallId: string,
): ReadLabel[] {
  const memories = recalled.get(toolCallId);
  return [...(readInside.get(toolCallId) ?? []), ...(memories === undefined ? [] : [memories])];
}

/** Join of the memories and of the declared untrusted input of inner runs that a call has read. */
export function readIn(
  { recalled, readInside }: Pick<Run, "recalled" | "readInside">,
  toolCallId: string,
): ReadLabel | undefined {
  return (readInside.get(toolCallId) ?? [])
    .filter(({ integrity, assumed }) => integrity === "untrusted" && assumed !== true)
    .reduce<ReadLabel | undefined>(joinResultLabels, recalled.get(toolCallId));
}

function worse(a: Integrity, b: Integrity): Integrity {
  return integrities.indexOf(a) >= integrities.indexOf(b) ? a : b;
}

function common(a: Readers, b: Readers): Readers {
  if (a === "public") return b;
  if (b === "public") return a;
  return a.filter((reader) => b.includes(reader));
}
