import { callKey } from "../../journal/event-keys.ts";
import type { CallState } from "../../journal/run-state.ts";
import type { Caller } from "./caller.ts";
import type { DrivenRun } from "../driven-run.ts";

/** What a run needs to hand its store, its decisions and its place in the journal to a run inside one of its calls. */
export function childPlace(
  run: DrivenRun & { readonly definition: DrivenRun["definition"] & { readonly inMemory: boolean } },
  toolCallId: string,
): Pick<
  Caller,
  | "store"
  | "ledger"
  | "inMemory"
  | "secrets"
  | "sealer"
  | "childRunId"
  | "childDecisions"
  | "userMessages"
  | "remembered"
  | "siblingResults"
  | "handOver"
> {
  const { definition, journal } = run;
  const call = (): CallState | undefined => {
    for (const key of journal.state.turnCalls) {
      const state = journal.state.calls.get(key);
      if (state?.toolCallId === toolCallId) return state;
    }
    return undefined;
  };
  let children = 0;
  return {
    store: definition.store,
    ledger: definition.ledger,
    inMemory: definition.inMemory,
    secrets: definition.secrets,
    sealer: definition.sealer,
    childRunId() {
      const state = call();
      const place = state === undefined ? toolCallId : callKey(state.turn, state.index);
      children += 1;
      return definition.hasher.sha256(`${run.runId}/${place}/run${children === 1 ? "" : children}`).slice(0, 32);
    },
    childDecisions: () => call()?.child?.decisions ?? [],
    userMessages: () => journal.state.messages.filter((message) => message.role === "user"),
    remembered: () => journal.state.remembered,
    siblingResults: () =>
      journal.state.turnCalls.flatMap((key) => {
        const { result } = journal.state.calls.get(key) ?? {};
        return result === undefined ? [] : [result.message];
      }),
    handOver(toAgent, reason) {
      const { state } = journal;
      if (state.activeAgent !== state.start?.agentName) return state.activeAgent === toAgent;
      journal.record({
        type: "handoff.transfer",
        fromAgent: state.activeAgent,
        toAgent,
        ...(reason !== undefined && { reason }),
      });
      return true;
    },
  };
}
