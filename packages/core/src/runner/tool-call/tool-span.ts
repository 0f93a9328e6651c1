import type { ErrorData } from "../../contracts/error-data.ts";
import type { TelemetrySpan, ToolSpanEnd } from "../../contracts/ports/telemetry.ts";
import { guardedSpan, ownerOf, spanContent } from "../hooks/guarded-span.ts";
import { toolOf, type PipelineCall } from "./call.ts";
import type { Attempt } from "./attempt.ts";
import { failureOfThrown } from "./thrown-failure.ts";

/** An attempt, as telemetry sees it. */
export interface ToolSpan extends Pick<TelemetrySpan<ToolSpanEnd>, "within"> {
  /**
   * @param result - How the attempt ended.
   * @param waiting - It asked a person or sleeps.
   */
  end(result: Attempt, waiting: boolean): void;
}

/** A span for an attempt of a tool; `undefined` without telemetry. */
export function startToolSpan(call: PipelineCall): ToolSpan | undefined {
  const { run, toolName, toolCallId, attempt } = call;
  const { telemetry } = run.definition.options;
  if (telemetry === undefined) return undefined;
  const { inputs, outputs } = telemetry;
  const { description, __sideEffectClass } = toolOf(call);
  const span = guardedSpan(run, () =>
    telemetry.startToolCall({
      ...ownerOf(run),
      toolName,
      toolCallId,
      description,
      sideEffectClass: __sideEffectClass,
      attempt,
      arguments: inputs ? spanContent(run, call.input) : undefined,
    }),
  );
  return (
    span && {
      within: span.within,
      end(result, waiting) {
        span.end({
          waiting,
          error: waiting ? undefined : errorOf(call, result),
          ...(outputs && !waiting && result.kind === "returned" && { output: spanContent(run, result.value) }),
        });
      },
    }
  );
}

function errorOf(call: PipelineCall, result: Attempt): ErrorData | undefined {
  switch (result.kind) {
    case "returned":
      return undefined;
    case "threw": {
      const { kind, message } = failureOfThrown(call.toolName, result.error);
      return spanContent(call.run, { name: "ToolError", code: kind, message });
    }
    case "timeout":
      return { name: "ToolError", code: "timeout", message: `"${call.toolName}" took too long.` };
    case "aborted":
      return { name: "ToolError", code: "aborted", message: `"${call.toolName}" was stopped.` };
  }
}
