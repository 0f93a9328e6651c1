import { ModelResponseError } from "../../errors/model-errors.ts";
import type { DrivenRun } from "../driven-run.ts";

/** The error of an answer that the vendor ended as failed. */
export function failedAnswer(run: DrivenRun): ModelResponseError {
  const { lastAnswer } = run.journal.state;
  const { provider, model } = lastAnswer?.provenance ?? { provider: "unknown", model: "unknown" };
  return new ModelResponseError(
    `${provider}/${model} ended its answer with an error (${lastAnswer?.rawFinishReason ?? "no reason given"}).`,
    { provider, model, retryable: false },
  );
}
