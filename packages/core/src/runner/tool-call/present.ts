import { andThen, runStages, settled, toolMessage, type MaybePromise, type PipelineCall } from "./call.ts";
import { contentPartProblem, plainPart, refuse, type Presentation } from "./presentation.ts";
import { redact, sanitize } from "./sanitize.ts";
import type { ContentPart } from "../../contracts/content-part.ts";
import type { ToolCallResult } from "../../contracts/tool-call-result.ts";
import { wellFormed } from "../../json/well-formed.ts";
import type { ResolvedTool, Validation } from "../../contracts/resolved-tool.ts";
import { askUserCodeNow, toError } from "../../user-code/call-user-code.ts";
import { askSchema } from "../hooks/hooks-runner.ts";
import { ownCopy } from "../../user-code/copies.ts";
import { isContentPart } from "../../history/is-content-part.ts";
import { reasonOf, reportFailure } from "../hooks/hook-failures.ts";
import { describeIssues } from "./validate.ts";
import { textOfContent, withText } from "../../tools/content-text.ts";
import type { ShortenedResult } from "../part.ts";

/** The stages between a tool's return value and its record, in order. */
const presentStages = [validateOutput, toModelOutput, review, redact, sanitize, shorten, record] as const;

/** Presents the finished calls of a list that are not presented yet, in order. */
export async function presentFinished(calls: readonly PipelineCall[]): Promise<void> {
  for (const call of calls) {
    if (call.phase !== "finished" || call.state.result !== undefined) continue;
    const presented = present(call);
    if (presented instanceof Promise) await presented;
  }
}

/** Makes the one message and the one result of a finished call, and journals them. */
function present(call: PipelineCall): MaybePromise<void> {
  const { outcome } = call.state;
  if (outcome === undefined) throw new TypeError(`Call ${call.key} of run ${call.run.runId} has no outcome.`);
  const { failure } = outcome;
  const presentation: Presentation = {
    call,
    outcome,
    output: outcome.output,
    content: failure?.message ?? "",
    failure,
    ownText: failure !== undefined && failure.fromTool !== true,
  };
  return runStages(presentStages, presentation);
}

/** The only place that turns a call into its message for the model and its result for people. */
function record(presentation: Presentation): void {
  const { call, outcome, failure, spilled, findings } = presentation;
  const { run, turn, index, toolCallId, toolName } = call;
  const content = readable(failure === undefined ? presentation.content : errorContent(presentation));
  const message = toolMessage(run, call, content, failure && { isError: true });
  const result: ToolCallResult = {
    toolCallId,
    toolName,
    input: call.value === undefined ? call.rawArguments : call.args,
    output: failure === undefined ? presentation.output : undefined,
    error: failure,
    isError: failure !== undefined,
    durationMs: outcome.durationMs,
    ...(outcome.deduplicated === true && { deduplicated: true }),
    ...(outcome.cached === true && { cached: true }),
    ...(outcome.simulated === true && { simulated: true }),
    ...(outcome.details !== undefined && { details: outcome.details }),
  };
  run.journal.record({ type: "tool.result", turn, index, message, result, spilled, findings });
}

/** An error is also marked in its text: some wires have no field for it. */
function errorContent(presentation: Presentation): string | readonly ContentPart[] {
  const { content, failure } = presentation;
  const label = `Error (${failure?.kind ?? "execution_failed"}): `;
  if (typeof content === "string") return `${label}${content}`;
  return [{ type: "text", text: label.trimEnd() }, ...content];
}

/** Text that every vendor accepts: halves of surrogate pairs are replaced. */
function readable(content: string | readonly ContentPart[]): string | readonly ContentPart[] {
  if (typeof content === "string") return wellFormed(content);
  return content.map((part) => (part.type === "text" ? { ...part, text: wellFormed(part.text) } : part));
}

/** Checks the output against the tool's schema; the parsed value is used from then on. */
function validateOutput(presentation: Presentation): MaybePromise<void> {
  const { call, outcome } = presentation;
  const check = call.tool?.__validateOutput;
  if (check === undefined || outcome.failure !== undefined || outcome.simulated === true) return undefined;
  const withhold = (why: string): void =>
    refuse(presentation, "invalid_output", `The output of "${call.toolName}" ${why}.`);
  return settled<Validation, void>(
    () => askSchema(call.run, `outputSchema of ${call.toolName}`, () => check(presentation.output)),
    (result) => {
      if (result.ok) presentation.output = result.value;
      else withhold(`does not match its schema: ${describeIssues(result.issues)}`);
    },
    (error) => withhold(`could not be checked against its schema: ${reasonOf(call, toError(error))}`),
  );
}

/** Text of a result without a value: vendors refuse empty results. */
const nothingReturned = "(no output)";

/**
 * Makes the content of the output: by the tool's `toModelOutput`, otherwise text and content parts are unchanged, and
 * any other value becomes JSON. `contentParts` follow it.
 */
function toModelOutput(presentation: Presentation): void {
  const { call, outcome } = presentation;
  // A refused output already has its text.
  if (presentation.failure !== undefined) return;
  const convert = outcome.simulated === true ? undefined : call.tool?.toModelOutput;
  try {
    const content = convert === undefined ? defaultContent(presentation.output) : converted(presentation, convert);
    presentation.content = withParts(content, outcome.contentParts);
  } catch (error) {
    refuse(
      presentation,
      "execution_failed",
      `The output of "${call.toolName}" could not be prepared for you: ${reasonOf(call, toError(error))}.`,
      "TO_MODEL_OUTPUT_FAILED",
    );
  }
}

function converted(
  { output, call }: Presentation,
  convert: NonNullable<ResolvedTool["toModelOutput"]>,
): string | readonly ContentPart[] {
  const made = askUserCodeNow("toModelOutput", () => convert(ownCopy(output), ownCopy(call.input)));
  const answer = made.ok ? askUserCodeNow("toModelOutput", () => readContent(made.value)) : made;
  if (answer.ok) return answer.value;
  reportFailure(call.run, `toModelOutput of ${call.toolName}`, answer.error, "The model reads an error instead.");
  throw answer.error;
}

function readContent(given: string | readonly ContentPart[]): string | readonly ContentPart[] {
  const content = ownCopy(given);
  const problem = typeof content === "string" ? undefined : contentPartProblem(content);
  if (problem !== undefined) throw new TypeError(`toModelOutput returned ${describe(content)}: ${problem}`);
  return content;
}

function describe(content: unknown): string {
  return Array.isArray(content) ? "an array" : `a ${typeof content}`;
}

function defaultContent(output: unknown): string | readonly ContentPart[] {
  if (output === undefined || output === "") return nothingReturned;
  if (typeof output === "string") return output;
  if (isMedia(output)) return [plainPart(output)];
  if (Array.isArray(output) && output.length > 0 && output.every(isContentPart)) return output.map(plainPart);
  return JSON.stringify(output) ?? nothingReturned;
}

function isMedia(output: unknown): output is ContentPart {
  return isContentPart(output) && output.type !== "text";
}

function withParts(
  content: string | readonly ContentPart[],
  parts: readonly ContentPart[] | undefined,
): string | readonly ContentPart[] {
  if (parts === undefined || parts.length === 0)
    return typeof content === "string" && content === "" ? nothingReturned : content;
  if (typeof content !== "string") return [...content, ...parts];
  return content === nothingReturned ? parts : [{ type: "text", text: content }, ...parts];
}

type Reviewers = Presentation["call"]["run"]["points"]["review"];

/** Calls the extensions of the run about a result. They may replace or withhold the text for the model. */
function review(presentation: Presentation): Promise<void> | undefined {
  const { run, toolName } = presentation.call;
  if (presentation.ownText || run.points.review.length === 0) return undefined;
  const reviewers = run.points.review.filter(({ tools }) => tools === undefined || tools.includes(toolName));
  return reviewers.length === 0 ? undefined : askEach(presentation, reviewers);
}

async function askEach(presentation: Presentation, reviewers: Reviewers): Promise<void> {
  for (const part of reviewers) {
    if (presentation.ownText) return;
    const verdict = await part.review(presentation);
    if (verdict === undefined) continue;
    if ("refuse" in verdict) refuse(presentation, "policy_denied", verdict.refuse.message, verdict.refuse.code);
    else replaceContent(presentation, verdict);
  }
}

function replaceContent(
  presentation: Presentation,
  { content, finding, by }: { content: Presentation["content"]; finding?: string | undefined; by: string },
): void {
  if (typeof content !== "string" && contentPartProblem(content) !== undefined) {
    const message = `The result of "${presentation.call.toolName}" is withheld: ${by} gave a replacement that is not content.`;
    return refuse(presentation, "policy_denied", message, "GUARDRAIL_FAILED");
  }
  presentation.content = content;
  // The replaced text must not stay in the message of a failure.
  if (presentation.failure !== undefined)
    presentation.failure = { ...presentation.failure, message: textOfContent(content) };
  if (finding !== undefined) presentation.findings = [...(presentation.findings ?? []), finding];
}

/** Calls the parts that shorten results. This is the last stage before the record, so that none cuts a secret or a frame in two. */
function shorten(presentation: Presentation, first = 0): MaybePromise<void> {
  const { shorten: parts } = presentation.call.run.points;
  for (let index = first; index < parts.length; index += 1) {
    const shorter = parts[index]?.shorten(presentation);
    if (shorter === undefined) continue;
    return andThen(shorter, (given) => {
      if (given !== undefined) takeShorter(presentation, given);
      return shorten(presentation, index + 1);
    });
  }
  return undefined;
}

/** Replaces the text; media stay, and the message of a failure is shortened too. */
function takeShorter(presentation: Presentation, { text, spilled }: ShortenedResult): void {
  const { content, failure } = presentation;
  presentation.content = withText(content, text);
  if (failure !== undefined) presentation.failure = { ...failure, message: text };
  if (spilled !== undefined) presentation.spilled = spilled;
}
