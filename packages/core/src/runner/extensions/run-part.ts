import type { ActiveRun } from "../active-run.ts";
import type { DrivenRun } from "../driven-run.ts";
import type { Part, Points } from "../part.ts";

/** A part of a run. */
export type RunPart = Part<DrivenRun>;

/** The parts of a run at each point. */
export type RunPoints = Points<DrivenRun>;

/** Why a deciding function failed, without known secrets. */
export function reasonOf({ run }: { readonly run: ActiveRun }, { message }: Error): string {
  return run.definition.secrets?.scrub(message) ?? message;
}
