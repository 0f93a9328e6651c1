import type { StopCondition, StopView } from "../../contracts/stop-condition.ts";
import { frozenCopy, frozenViews } from "../../user-code/copies.ts";
import type { DrivenRun } from "../driven-run.ts";
import { demand, expected } from "../hooks/hooks-runner.ts";
import type { RunPart } from "./run-part.ts";

/** The part that asks the conditions of `stopWhen` after each turn with calls, in order. */
export function stopWhenPart(stopWhen: StopCondition | readonly StopCondition[]): RunPart {
  const conditions = conditionsOf(stopWhen);
  return {
    name: "stopWhen",
    async afterTurn(run, { answered }) {
      if (answered || conditions.length === 0) return undefined;
      const view = viewOf(run);
      for (const condition of conditions) {
        const holds = await demand<boolean>(
          run,
          "stopWhen",
          () => condition(view),
          (answer) => expected("stopWhen", "true or false", typeof answer === "boolean", answer),
        );
        if (holds) return { reason: "stop_condition" };
      }
      return undefined;
    },
  };
}

function viewOf(run: DrivenRun): StopView {
  const { state } = run.journal;
  return {
    steps: state.turn,
    usage: frozenCopy(state.usage),
    costUsd: state.costUsd,
    elapsedMs: run.activeMs(),
    lastToolCalls: frozenViews(state.turnCalls.flatMap((key) => state.calls.get(key)?.result?.result ?? [])),
    messages: frozenViews(state.messages),
  };
}

/** The conditions of a `stopWhen` option as a list. */
export function conditionsOf(stopWhen: StopCondition | readonly StopCondition[] | undefined): readonly StopCondition[] {
  if (stopWhen === undefined) return [];
  return typeof stopWhen === "function" ? [stopWhen] : stopWhen;
}
