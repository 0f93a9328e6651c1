import type { SpanOwner, TelemetrySpan } from "../../contracts/ports/telemetry.ts";
import type { ActiveRun } from "../active-run.ts";
import { toError } from "./hooks-runner.ts";

/** What a span needs of its run. */
export type SpannedRun = Pick<ActiveRun, "runId" | "definition" | "context" | "logger">;

/** Whose span it is. */
export const ownerOf = ({ runId, definition, context }: SpannedRun): SpanOwner => ({
  runId,
  agentName: definition.name,
  sessionId: context.sessionId,
});

/** What telemetry is given: without values of known secrets. */
export function spanContent<T>({ definition: { secrets } }: SpannedRun, value: T): T {
  return secrets === undefined ? value : secrets.scrub(value);
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
      quietly(run, () => span.end(end));
    },
  };
}

function quietly<T>(run: SpannedRun, call: () => T): T | undefined {
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
