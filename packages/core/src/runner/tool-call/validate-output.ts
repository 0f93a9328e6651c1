import type { Validation } from "../../contracts/resolved-tool.ts";
import type { MaybePromise } from "./maybe-promise.ts";
import { refuse } from "./presentation.ts";
import type { Presentation } from "./presentation.ts";
import { describeIssues } from "./validate.ts";

/** Checks the output against the tool's schema; the parsed value is what continues. */
export function validateOutput(presentation: Presentation): MaybePromise<void> {
  const { call, outcome } = presentation;
  const check = call.tool?.__validateOutput;
  if (check === undefined || outcome.failure !== undefined || outcome.simulated === true) return undefined;
  try {
    const checked = check(presentation.output);
    if (checked instanceof Promise) {
      return checked.then(
        (result) => take(presentation, result),
        (error: unknown) => refuseThrown(presentation, error),
      );
    }
    return take(presentation, checked);
  } catch (error) {
    return refuseThrown(presentation, error);
  }
}

function take(presentation: Presentation, result: Validation): void {
  if (result.ok) presentation.output = result.value;
  else
    refuse(
      presentation,
      "invalid_output",
      `The output of "${presentation.call.toolName}" does not match its schema: ${describeIssues(result.issues)}.`,
    );
}

function refuseThrown(presentation: Presentation, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  refuse(
    presentation,
    "invalid_output",
    `The output of "${presentation.call.toolName}" could not be checked against its schema: ${reason}.`,
  );
}
