import type { DrivenRun } from "../driven-run.ts";

/** Text of an answer without what may not leave: secrets, and what the flow policy takes out. */
export function filtered(run: DrivenRun, text: string): string {
  const filter = run.flow?.answerFilter();
  const scrubbed = run.definition.secrets?.scrub(text) ?? text;
  return filter === undefined ? scrubbed : filter.push(scrubbed) + filter.end();
}
