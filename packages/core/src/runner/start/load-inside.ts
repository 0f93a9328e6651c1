import type { Caller } from "../caller/caller.ts";
import { inheritedSecrets } from "../caller/inherited-secrets.ts";
import { createLeaseKeeper } from "../lease-keeper.ts";
import type { Agent, Run } from "../run.ts";
import { loadRun } from "./load-run.ts";

/**
 * Settings that an inner run shares with the outer one: known secrets of both are scrubbed; an agent without a store
 * keeps the run in the outer run's store, sealed with the same key unless it has its own; an agent without a flow
 * policy uses that of the outer run.
 */
export function sharedFor(
  own: Agent,
  caller: Pick<Caller, "secrets" | "flowPort" | "store" | "ledger" | "inMemory" | "sealer">,
): Agent {
  const secrets = inheritedSecrets(own.secrets, caller.secrets);
  const flow = own.flow ?? caller.flowPort;
  if (!own.inMemory) return secrets === own.secrets && flow === own.flow ? own : { ...own, secrets, flow };
  const { store, ledger, inMemory } = caller;
  const sealer = own.sealer ?? caller.sealer;
  return {
    ...own,
    store,
    ledger,
    inMemory,
    secrets,
    flow,
    sealer,
    keeper: createLeaseKeeper(store, own.clock, own.keeper.leaseMs),
  };
}

/** Loads the run inside a call of a run that is driven or was loaded, to read it. */
export const loadInside: Run["loadInside"] = async (outer, own, runId) => {
  const agent = sharedFor(own, { ...outer, flowPort: outer.flow });
  await agent.secrets?.ready();
  const { state } = await loadRun(agent, runId);
  return { agent, state };
};
