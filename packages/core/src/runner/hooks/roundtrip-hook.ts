import type { DrivenRun } from "../driven-run.ts";
import { ownCopy } from "../../user-code/copies.ts";
import { deniedByHook } from "./denied-by-hook.ts";
import { decide, expected, isObjectOrNothing } from "./hooks-runner.ts";

/** Whether `onRoundtripComplete` stops the run; one that fails ends it as denied. */
export async function stoppedByHook(run: DrivenRun): Promise<boolean> {
  const hook = run.settings.loopHooks?.onRoundtripComplete;
  if (hook === undefined) return false;
  const { turn, usage } = run.journal.state;
  const verdict = await decide(
    run,
    "onRoundtripComplete",
    () => hook(turn, ownCopy(usage)),
    (answer) => expected("onRoundtripComplete", "{ stop } or nothing", isObjectOrNothing(answer), ownCopy(answer)),
  );
  if (!verdict.ok) throw deniedByHook(run, verdict.failure);
  return verdict.value?.stop === true;
}
