import type { DrivenRun } from "../driven-run.ts";
import { RunStopped } from "../limits/run-control.ts";
import { decide } from "./hooks-runner.ts";

/** Whether `onRoundtripComplete` stops the run; one that fails ends it as denied. */
export async function stoppedByHook(run: DrivenRun): Promise<boolean> {
  const hook = run.settings.loopHooks?.onRoundtripComplete;
  if (hook === undefined) return false;
  const { turn, usage } = run.journal.state;
  const verdict = await decide(run, "onRoundtripComplete", () => hook(turn, usage));
  if (!verdict.ok) throw new RunStopped({ reason: "policy_denied", error: verdict.failure.error });
  return verdict.value?.stop === true;
}
