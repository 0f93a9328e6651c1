import type { Label } from "../../contracts/label.ts";
import type { MemoryAccess } from "../../contracts/ports/memory-store.ts";
import { memoryHost } from "../model/conversation-view.ts";
import { toolOf } from "./call.ts";
import type { PipelineCall } from "./call.ts";
import { joinResultLabels, readIn } from "./result-label.ts";

/** Label of values that no policy labels: untrusted. */
const unlabelled: Label = {
  id: "untrusted",
  integrity: "untrusted",
  readers: "public",
  parents: [],
  origin: { kind: "join" },
};

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
        return run.flow?.storedLabel("memory", toolCallId, readIn(run, toolCallId)) ?? unlabelled;
      },
      principals: userId === undefined ? [] : [`user:${userId}`],
      approved: call.approvalId !== undefined || call.state.approval?.decision?.type === "approve",
    },
    memoryHost(run),
  );
  return {
    async recall(query, options) {
      const recalled = await access.recall(query, options);
      for (const one of recalled) run.recalled.set(toolCallId, joinResultLabels(run.recalled.get(toolCallId), one));
      return recalled;
    },
    forget: (id) => access.forget(id),
    async remember(text, options) {
      const key = await access.remember(secrets?.scrub(text) ?? text, secrets?.scrub(options) ?? options);
      tellStored(call, options?.kind ?? "memory", key);
      return key;
    },
  };
}

/** Notifies the event bus that a tool has stored a memory. */
function tellStored({ run }: PipelineCall, store: string, key: string): void {
  const { eventBus, runId, tenantId } = run.context;
  if (!eventBus.hasListeners("memory.stored")) return;
  eventBus.emit("memory.stored", {
    runId,
    agentName: run.agent.name,
    store,
    key,
    ...(tenantId !== undefined && { tenantId }),
  });
}
