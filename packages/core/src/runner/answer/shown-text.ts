import type { AssistantMessage } from "../../contracts/message.ts";
import { GuardrailTrippedError } from "../../errors/run-errors.ts";
import type { Ending } from "../limits/run-control.ts";
import type { Run } from "../run.ts";

/**
 * The answer's text after the egress filter, commentary included; set only if the filter changed it. A page that reads
 * the journal shows this instead of the raw text.
 */
export function shownText(run: Run, message: AssistantMessage): string | undefined {
  if (run.flow === undefined) return undefined;
  const text = message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  if (text === "") return undefined;
  const shown = filtered(run, text);
  return shown === text ? undefined : shown;
}

/** Text of an answer without secrets and without the parts that the flow policy removes. */
export function filtered(run: Run, text: string): string {
  const filter = run.flow?.answerFilter();
  const scrubbed = run.agent.secrets?.scrub(text) ?? text;
  return filter === undefined ? scrubbed : filter.push(scrubbed) + filter.end();
}

/**
 * A structured answer without the removed parts, string by string, including names of members. The JSON text itself
 * cannot be filtered: JSON escapes hide a link, and a removal may end a string.
 */
export function cleanLeaves(run: Run, value: unknown): unknown {
  if (typeof value === "string") return filtered(run, value);
  if (Array.isArray(value)) return value.map((item) => cleanLeaves(run, item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [filtered(run, name), cleanLeaves(run, item)]));
}

/** Drops the held part of an answer, and withdraws the shown part. */
export function retract(run: Run, blocked: { readonly name: string; readonly reason: string }): void {
  run.answer.drop();
  if (run.answer.shown && run.sink.wants("guardrail.retracted"))
    run.sink.show({ type: "guardrail.retracted", ...blocked });
}

/** The ending of an answer with a blocked window. */
export function blockedByWindow(run: Run, blocked: NonNullable<Run["answer"]["blocked"]>): Ending {
  const reason = blocked.verdict.pass ? "" : blocked.verdict.reason;
  retract(run, { name: blocked.name, reason });
  const error = new GuardrailTrippedError(
    `The output guardrail "${blocked.name}" blocked run ${run.runId}: ${reason}`,
    [blocked],
    { runId: run.runId },
  );
  return { reason: "guardrail_blocked", text: "", error };
}
