import type { ModelProvider, ModelRequest } from "../../contracts/model-provider.ts";
import type { ModelResponse } from "../../contracts/model-response.ts";
import type { ModelSpanEnd, ModelSpanStart, TelemetrySpan } from "../../contracts/ports/telemetry.ts";
import { guardedSpan, ownerOf, spanContent } from "../hooks/guarded-span.ts";
import { toErrorData } from "../../errors/error-text.ts";
import type { Run } from "../run.ts";

/** A call of a model, as telemetry sees it. */
export interface ModelSpan extends Pick<TelemetrySpan<ModelSpanEnd>, "within"> {
  /**
   * @param response - The answer, whole or partial.
   * @param error - Why it failed.
   * @param timeToFirstTokenMs - Of a streamed answer, in milliseconds.
   */
  end(response: ModelResponse | undefined, error?: Error, timeToFirstTokenMs?: number): void;
}

/**
 * A span for asking a model; `undefined` without telemetry.
 *
 * @param purpose - Purpose of the call.
 */
export function startModelSpan(
  run: Run,
  model: ModelProvider,
  request: ModelRequest,
  purpose: ModelSpanStart["purpose"],
): ModelSpan | undefined {
  const { telemetry } = run.agent.options;
  if (telemetry === undefined) return undefined;
  const { inputs, outputs } = telemetry;
  const span = guardedSpan(run, () =>
    telemetry.startModelCall({
      ...ownerOf(run),
      modelProvider: model.provider,
      model: model.modelId,
      purpose,
      structured: request.output !== undefined,
      maxTokens: request.maxTokens,
      temperature: request.temperature,
      topP: request.topP,
      stopSequences: request.stopSequences,
      messages: inputs ? spanContent(run, request.messages) : undefined,
      tools: inputs ? spanContent(run, request.tools) : undefined,
    }),
  );
  return (
    span && {
      within: span.within,
      end(response, error, timeToFirstTokenMs) {
        span.end({
          error: error && spanContent(run, toErrorData(error)),
          usage: response?.usage,
          finishReason: response?.finishReason,
          responseId: response?.responseId,
          responseModel: response?.responseModel,
          timeToFirstTokenMs,
          message: outputs && response !== undefined ? spanContent(run, response.message) : undefined,
        });
      },
    }
  );
}
