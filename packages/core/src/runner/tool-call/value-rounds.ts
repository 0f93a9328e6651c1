import { fail, recordValue, type PipelineCall } from "./call.ts";

/** Maximum number of values of one call before it runs. */
const mostRounds = 3;

/**
 * Journals a value that takes the place of the recorded one before anything ran. A schema that makes another value of
 * the same arguments each time ends the call.
 *
 * @param needsApproval - What the tool and the policies said about the call.
 * @returns false if the call has ended.
 */
export function nextRound(call: PipelineCall, needsApproval: boolean | undefined): boolean {
  const round = (call.state.call?.round ?? 1) + 1;
  if (round > mostRounds) {
    failUnstable(call);
    return false;
  }
  call.flow = undefined;
  recordValue(call, needsApproval, round);
  return true;
}

/** Ends a call whose value is another one each time. */
export function failUnstable(call: PipelineCall): void {
  fail(
    call,
    "invalid_input",
    `The inputSchema of "${call.toolName}" makes another value of the same arguments each time, so nothing ran. Move what depends on time, chance or earlier calls out of the schema into execute.`,
    { code: "ARGUMENTS_UNSTABLE", recoverable: false, recoveryHint: "report_to_user" },
  );
}
