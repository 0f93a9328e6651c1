import { callKey, type CallState } from "../../journal/run-state.ts";
import { insideRunId, type InsideOrigin } from "../state/fork-place.ts";
import { nodeIdOf, type Caller } from "./caller.ts";
import type { Run } from "../run.ts";

/** Inputs for passing a run's store, decisions and place in the journal to a run inside one of its calls. */
export function childPlace(
  run: Run,
  toolCallId: string,
): Pick<
  Caller,
  | "store"
  | "lease"
  | "commit"
  | "ledger"
  | "inMemory"
  | "secrets"
  | "sealer"
  | "childRunId"
  | "nodeId"
  | "childOrigin"
  | "childDecisions"
  | "userMessages"
  | "remembered"
  | "handedState"
  | "handOver"
> {
  const { agent, journal } = run;
  const call = (): CallState | undefined => {
    for (const key of journal.state.turnCalls) {
      const state = journal.state.calls.get(key);
      if (state?.toolCallId === toolCallId) return state;
    }
    return undefined;
  };
  let children = 0;
  const nodes = new Map<string, string>();
  let handed = false;
  const origins = new Map<string, InsideOrigin>();
  const { hasher } = agent;
  return {
    store: agent.store,
    lease: () => journal.lease,
    commit: () => journal.commit(),
    ledger: agent.ledger,
    inMemory: agent.inMemory,
    secrets: agent.secrets,
    sealer: agent.sealer,
    childRunId() {
      const state = call();
      const key = state === undefined ? undefined : callKey(state.turn, state.index);
      const place = key ?? toolCallId;
      children += 1;
      const n = children;
      const runId = insideRunId(hasher, run.runId, place, n);
      nodes.set(runId, n === 1 ? place : `${place}/${n}`);
      const { forked } = run;
      if (forked !== undefined && (key === undefined || forked.calls.has(key)))
        origins.set(runId, {
          origins: forked.place.origins.map(({ runId: id, salts }) => ({
            runId: insideRunId(hasher, id, place, n),
            salts,
          })),
          suspended: forked.suspended.get(runId),
          at: forked.place.at,
        });
      return runId;
    },
    nodeId: (runId, agentName) => `${nodeIdOf(run)}/${nodes.get(runId) ?? toolCallId}/${agentName}`,
    childOrigin: (runId) => origins.get(runId),
    childDecisions: () => call()?.child?.decisions ?? [],
    userMessages: () => journal.state.messages.filter((message) => message.role === "user"),
    remembered: () => journal.state.remembered,
    handedState: () => (handed ? run.sessionState : undefined),
    handOver(toAgent, reason) {
      const { state } = journal;
      const { handedOver } = state;
      handed = handedOver?.turn !== state.turn || handedOver.toolCallId === toolCallId;
      // A call that continues after a crash or a question has its record.
      if (handedOver?.turn === state.turn) return handed;
      journal.record({
        type: "handoff.transfer",
        fromAgent: state.start?.agentName ?? state.activeAgent,
        toAgent,
        toolCallId,
        ...(reason !== undefined && { reason }),
      });
      return true;
    },
  };
}
