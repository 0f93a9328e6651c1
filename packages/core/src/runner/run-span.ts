import type { RunInput } from "../contracts/run-options.ts";
import type { RunSpanEnd, TelemetrySpan } from "../contracts/ports/telemetry.ts";
import { guardedSpan, ownerOf, spanContent } from "./hooks/guarded-span.ts";
import { toError } from "../user-code/call-user-code.ts";
import { toErrorData } from "../errors/error-text.ts";
import type { Outcome } from "./end/end-run.ts";
import type { Run } from "./run.ts";

/**
 * Drives a run inside a span of the agent's telemetry.
 *
 * @param input - Input of a new run; `undefined` for a resumed one.
 * @param drive - Drives it to its end.
 */
export async function inRunSpan(
  run: Run,
  input: RunInput | undefined,
  drive: () => Promise<Outcome>,
): Promise<Outcome> {
  const span = startSpan(run, input);
  if (span === undefined) return drive();
  try {
    const outcome = await span.within(drive);
    span.end(endOf(run, outcome));
    return outcome;
  } catch (thrown) {
    span.end({ error: spanContent(run, toErrorData(toError(thrown))) });
    throw thrown;
  }
}

function startSpan(run: Run, input: RunInput | undefined): TelemetrySpan<RunSpanEnd> | undefined {
  const { telemetry, description } = run.agent.options;
  if (telemetry === undefined) return undefined;
  const { provider, modelId } = run.agent.model;
  const { userId, tenantId } = run.context;
  return guardedSpan(run, () =>
    telemetry.startRun({
      ...ownerOf(run),
      agentDescription: description,
      userId,
      tenantId,
      modelProvider: provider,
      model: modelId,
      resumed: input === undefined,
      input: telemetry.inputs ? spanContent(run, input) : undefined,
    }),
  );
}

function endOf(run: Run, { output, error }: Outcome): RunSpanEnd {
  const { status, stopReason, usage, costUsd, text } = output;
  return {
    status,
    stopReason,
    usage,
    costUsd,
    error: error === undefined ? undefined : spanContent(run, toErrorData(error)),
    text: run.agent.options.telemetry?.outputs === true ? spanContent(run, text) : undefined,
  };
}
