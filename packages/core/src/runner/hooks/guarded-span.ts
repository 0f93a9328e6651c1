import type { SpanOwner, TelemetrySpan } from "../../contracts/ports/telemetry.ts";
import { frozenCopy } from "../../user-code/copies.ts";
import type { ActiveRun } from "../active-run.ts";
import { toError } from "../../user-code/call-user-code.ts";

/** What a span needs of its run. */
export type SpannedRun = Pick<ActiveRun, "runId" | "definition" | "context" | "logger">;

/** The run and agent that a span belongs to. */
export const ownerOf = ({ runId, definition, context }: SpannedRun): SpanOwner => ({
  runId,
  agentName: definition.name,
  agentId: definition.definitionHash,
  sessionId: context.sessionId,
});

/** A value for telemetry: a frozen copy without known secrets; `undefined` for one that contains itself. */
export function spanContent<T>({ definition: { secrets } }: SpannedRun, value: T): T | undefined {
  try {
    return frozenCopy(secrets === undefined ? value : secrets.scrub(value));
  } catch {
    return undefined;
  }
}

/**
 * A span whose failures do not reach the run: what telemetry throws is logged.
 *
 * @param open - Starts it.
 * @returns `undefined` when it could not be started.
 */
export function guardedSpan<End>(run: SpannedRun, open: () => TelemetrySpan<End>): TelemetrySpan<End> | undefined {
  const span = quietly(run, open);
  if (span === undefined) return undefined;
  return {
    within(work) {
      let begun = false;
      try {
        return span.within(() => {
          begun = true;
          return work();
        });
      } catch (thrown) {
        // What the work throws is the work's.
        if (begun) throw thrown;
        complain(run, thrown);
        return work();
      }
    },
    end(end) {
      quietly(run, () => span.end(frozenCopy(end)));
    },
  };
}

/** Calls telemetry; what it throws is logged. */
export function quietly<T>(run: SpannedRun, call: () => T): T | undefined {
  try {
    return call();
  } catch (thrown) {
    complain(run, thrown);
    return undefined;
  }
}

function complain(run: SpannedRun, thrown: unknown): void {
  const error = toError(thrown);
  run.logger.warn(`The telemetry of run ${run.runId} threw: ${error.message}. The run goes on.`, { error });
}
