import type { FlowPort } from "../../contracts/ports/flow-policy.ts";
import { handedApproval } from "../settings/join-approval.ts";
import { asFlow } from "../settings/join-flow.ts";
import type { AgentRole } from "../settings/option-row.ts";
import { demandedBy, settingRows, type Demands, type EffectiveSettings } from "../settings/run-settings.ts";

/** The demands of a run, which apply to each run inside it, on every path. */
export function demandsOf(run: {
  readonly runId: string;
  readonly settings: EffectiveSettings;
  readonly agent: { readonly name: string; readonly flow: FlowPort | undefined; readonly role: AgentRole };
}): Demands {
  const { settings, agent } = run;
  // The default of an agent applies too; a composition adds no authority.
  const byDefault = agent.role === "agent" && agent.flow !== undefined ? ({ mode: "auto" } as const) : undefined;
  return {
    ...demandedBy(settingRows, settings),
    flow: settings.flow === undefined ? byDefault : { ...byDefault, ...asFlow(settings.flow) },
    approval: handedApproval(settings.approval, { runId: run.runId, agentName: agent.name }),
  };
}
