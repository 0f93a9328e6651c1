import type { PipelineCall } from "./call.ts";
import { limit } from "./limit.ts";
import { runStages } from "./maybe-promise.ts";
import { isThenable } from "../../user-code/thenable.ts";
import type { MaybePromise } from "./maybe-promise.ts";
import { toModelOutput } from "./model-output.ts";
import type { Presentation } from "./presentation.ts";
import { redact } from "./redact.ts";
import { review } from "./ask-reviewers.ts";
import { sanitize } from "./sanitize.ts";
import { settle } from "./settle.ts";
import { validateOutput } from "./validate-output.ts";

/** The stages between what a tool returned and what the model reads, in order. */
const presentStages = [validateOutput, convert, review, redact, sanitize, limit] as const;

/** Makes the one message and the one result of a finished call, and journals them. */
export function present(call: PipelineCall): MaybePromise<void> {
  const { outcome } = call.state;
  if (outcome === undefined) throw new TypeError(`Call ${call.key} of run ${call.run.runId} has no outcome.`);
  const { failure } = outcome;
  const presentation: Presentation = {
    call,
    outcome,
    output: outcome.output,
    content: failure?.message ?? "",
    failure,
    ownText: failure !== undefined && failure.fromTool !== true,
  };
  const pending = runStages(presentStages, presentation);
  return isThenable(pending) ? pending.then(() => record(presentation)) : record(presentation);
}

/** A refused output has its text already. */
function convert(presentation: Presentation): void {
  if (presentation.failure === undefined) toModelOutput(presentation);
}

function record(presentation: Presentation): void {
  const { call, spilled, findings } = presentation;
  const { message, result } = settle(presentation);
  const { turn, index } = call;
  call.run.journal.record({
    type: "tool.result",
    turn,
    index,
    message,
    result,
    ...(spilled !== undefined && { spilled }),
    ...(findings !== undefined && { findings }),
  });
}
