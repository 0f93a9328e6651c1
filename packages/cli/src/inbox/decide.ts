import type { Decision, Interruption } from "@bailiwick/core";
import { questionView } from "@bailiwick/core/questions";
import { CommandError, usageError } from "../command-error.ts";
import { exitCodes } from "../exit-codes.ts";
import { askLine } from "../output/ask.ts";
import type { Terminal } from "../output/terminal.ts";
import { describeQuestion } from "../questions/describe-question.ts";

/** Word that a person types to approve a suspicious question. */
const confirmation = "approve";

/**
 * Lets the approval of a suspicious question through only after a second step: `--yes-suspicious`, or the word `approve`
 * typed at the terminal.
 *
 * @throws CommandError `CLI_SUSPICIOUS`
 */
export async function confirmSuspicious(terminal: Terminal, open: Interruption, yes: boolean): Promise<void> {
  if (open.question.level !== "suspicious" || yes) return;
  if (terminal.interactive) {
    terminal.note(`${describeQuestion(terminal, open)}\n`);
    if ((await askLine(`Type "${confirmation}" to approve this anyway: `)) === confirmation) return;
  }
  const shown = questionView(open);
  throw new CommandError(
    "CLI_SUSPICIOUS",
    `The question "${open.id}" is suspicious and was not approved: ${shown?.reason ?? ""} Look at it with bailiwick inbox list --run ${open.runId}. Add --yes-suspicious to approve it, or reject it.`,
    exitCodes.refused.code,
  );
}

/** Refuses a decision that does not fit the kind of the question. */
export function checkKind(open: Interruption, kinds: readonly Interruption["kind"][], command: string): void {
  if (kinds.includes(open.kind)) return;
  const fitting = {
    approval: "approve or reject",
    question: "answer",
    unknown_outcome: "settle",
    client_tool: "answer",
  }[open.kind];
  throw usageError(`"${command}" does not decide the question "${open.id}". Use bailiwick inbox ${fitting}.`);
}

/** Reads an option that holds JSON. */
export function parseJson(text: string, option: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw usageError(`${option} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** Outcomes that a person can settle. */
export type SettledOutcome = "happened" | "did-not-happen" | "give-up";

/** Makes the decision about an unknown outcome. */
export function settlement(
  open: Interruption,
  outcome: SettledOutcome,
  output: unknown,
  origin: { readonly decidedBy?: string | undefined; readonly channel: string },
): Decision {
  if (outcome === "happened") return open.itHappened(output, origin);
  if (outcome === "did-not-happen") return open.itDidNotHappen(origin);
  return open.giveUp(undefined, origin);
}
