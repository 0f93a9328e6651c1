import type { RunOutput } from "../../contracts/run-output.ts";
import { BailiwickError } from "../../errors/bailiwick-error.ts";

/**
 * Leaves a tool whose inner run waits for a person. The outer run suspends with the questions of the inner one; when they
 * are answered the tool starts again from its top, and the inner run goes on where it was.
 */
export class NestedSuspensionError extends BailiwickError {
  readonly output: RunOutput;

  constructor(output: RunOutput) {
    super(
      "NESTED_SUSPENSION",
      `The run of "${output.agentName}" inside this tool call waits for a person. Do not catch this error: the outer run is suspended with its questions.`,
      { runId: output.runId },
    );
    this.output = output;
  }
}
