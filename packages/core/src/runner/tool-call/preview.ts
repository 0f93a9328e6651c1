import type { QuestionPreview, ToolPreview } from "../../contracts/preview.ts";
import type { UnusualFact } from "../../contracts/question.ts";
import { askUserCode, askUserCodeNow } from "../../user-code/call-user-code.ts";
import { ownAnswer, ownCopy } from "../../user-code/copies.ts";
import { expected, reasonOf, reportFailure } from "../hooks/hook-failures.ts";
import { decidingTimeoutMs, limitsOf } from "../hooks/hooks-runner.ts";
import { fail, failUnstarted, toolOf, type PipelineCall } from "./call.ts";
import { flowAsks } from "./flow-verdict.ts";
import type { Earlier } from "./settle.ts";
import { previewContext } from "./tool-context.ts";

/** Most of a preview that a question shows. */
const mostLines = 400;
const mostCharacters = 64 * 1024;
const longestDigest = 512;

/** Number of decisions about one call after which a preview that changes each time ends it. */
const mostDecisions = 3;

/** The preview of a call: `none` if its tool makes none, or may not read with these arguments. */
export type CallPreview = ToolPreview | "none";

/**
 * Makes the preview of a call that nothing refused. It reads with the call's arguments, so it is made only if the flow
 * policy asks about none of them: a reader would run with them. An exact one that a person was shown is not made again, and neither is that
 * of an effect which may have happened.
 *
 * @returns `undefined` if the call has its outcome now.
 */
export async function previewOf(call: PipelineCall, earlier: Earlier): Promise<CallPreview | undefined> {
  const { preview } = toolOf(call);
  // The preview of a faked tool would read outside.
  if (preview === undefined || call.run.options.fakes !== undefined) return "none";
  if (flowAsks(call) && call.flow?.ofContext !== true) return "none";
  const shown = shownPreview(call);
  if (shown?.exact === true) return shown;
  // Its effect may have happened, so another preview would show what is left of it.
  if (shown !== undefined && earlier === "repeats") return { ...shown, exact: true };
  return makePreview(call);
}

/** The preview in the question about the value of the call. */
function shownPreview({ state, argsHash }: PipelineCall): ToolPreview | undefined {
  const asked = state.approval?.interruption;
  const { digest, ...rest } = asked?.question.preview ?? {};
  return digest === undefined || asked?.argsHash !== argsHash ? undefined : { ...rest, digest };
}

async function makePreview(call: PipelineCall): Promise<ToolPreview | undefined> {
  const { run, toolName } = call;
  const { preview } = toolOf(call);
  if (preview === undefined) return undefined;
  const given = await askUserCode<unknown>(
    async () => preview(ownCopy(call.input), previewContext(call)),
    limitsOf(run, "preview", decidingTimeoutMs),
  );
  const answer = given.ok ? askUserCodeNow("preview", () => readPreview(given.value)) : given;
  if (answer.ok) return answer.value;
  if (answer.stopped) {
    failUnstarted(call);
    return undefined;
  }
  reportFailure(run, `preview of ${toolName}`, answer.error, "The call is refused.");
  fail(
    call,
    "execution_failed",
    `The preview of "${toolName}" failed (${reasonOf(call, answer.error)}), so no person was asked and nothing ran.`,
    { code: "PREVIEW_FAILED", recoverable: true, recoveryHint: "check_input" },
  );
  return undefined;
}

function readPreview(given: unknown): ToolPreview {
  const answer = ownAnswer(given);
  const { text, diff, facts = [], digest, exact } = Object(answer) as Readonly<Record<string, unknown>>;
  const isText = (value: unknown): boolean => value === undefined || typeof value === "string";
  const holds =
    typeof digest === "string" &&
    digest !== "" &&
    digest.length <= longestDigest &&
    isText(text) &&
    isText(diff) &&
    Array.isArray(facts) &&
    facts.every((fact) => typeof fact === "string") &&
    (exact === undefined || exact === true);
  return expected("preview", "{ digest, text, diff, facts, exact }", holds, answer as ToolPreview);
}

/**
 * Makes the preview again directly before a call runs that a person approved.
 *
 * @returns false if it is another one now, or if the call has its outcome.
 */
export async function isStillShown(call: PipelineCall): Promise<boolean> {
  const { preview, approvalId } = call.permit ?? {};
  if (preview === undefined || approvalId === undefined || preview.exact === true) return true;
  const now = await makePreview(call);
  return now !== undefined && now.digest === preview.digest;
}

/** Ends a call whose preview is another one each time that a person has decided. */
export function refuseUnstable(call: PipelineCall): boolean {
  if ((call.state.decisions?.length ?? 0) < mostDecisions) return false;
  fail(
    call,
    "execution_failed",
    `What "${call.toolName}" would do was another thing after each of ${mostDecisions} approvals, so nothing ran. Ask the user to approve it when its data no longer change.`,
    { code: "PREVIEW_UNSTABLE", recoverable: false, recoveryHint: "report_to_user" },
  );
  return true;
}

/** The preview as a question shows it, and the facts that it adds. */
export function shownInQuestion(
  call: PipelineCall,
  preview: CallPreview,
): { readonly preview?: QuestionPreview; readonly facts: readonly UnusualFact[] } {
  if (toolOf(call).preview === undefined || call.run.options.fakes !== undefined) return { facts: [] };
  if (preview === "none")
    return { preview: { text: "No preview: the flow policy asks about these arguments first." }, facts: [] };
  const { text, diff, facts = [], digest, exact } = preview;
  const [shownText, textLeft] = cut(text);
  const [shownDiff, diffLeft] = cut(diff);
  const linesLeftOut = textLeft + diffLeft;
  const more =
    linesLeftOut === 0 ? [] : [`The preview is too long for a question: ${linesLeftOut} lines are not shown.`];
  return {
    preview: { text: shownText, diff: shownDiff, digest, exact, ...(linesLeftOut > 0 && { linesLeftOut }) },
    facts: [...facts, ...more].map((fact) => ({ kind: "found_by_code", text: fact })),
  };
}

function cut(text: string | undefined): readonly [string | undefined, number] {
  if (text === undefined) return [undefined, 0];
  const lines = text.split("\n");
  let length = 0;
  const shown = lines.slice(0, mostLines).filter((line) => (length += line.length + 1) <= mostCharacters);
  return [shown.join("\n"), lines.length - shown.length];
}
