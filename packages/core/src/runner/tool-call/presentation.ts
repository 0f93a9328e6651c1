import type { ContentPart } from "../../contracts/content-part.ts";
import type { JournalEventOf } from "../../contracts/journal-event.ts";
import type { ToolFailure } from "../../contracts/tool-call-result.ts";
import type { Sanitized } from "../../contracts/ports/security.ts";
import type { InboundSanitizationPolicy, ToolErrorKind } from "../../contracts/vocabularies.ts";
import { failure } from "./failure.ts";
import type { PipelineCall } from "./call.ts";
import type { ResolvedTool } from "../../contracts/resolved-tool.ts";
import { isContentPart } from "../../history/is-content-part.ts";
import { askUserCodeNow, toError } from "../../user-code/call-user-code.ts";
import { reasonOf, reportFailure } from "../hooks/hooks-runner.ts";
import { toBase64 } from "../../json/base64.ts";
import { ownCopy } from "../../user-code/copies.ts";

/** The model's view of a call, stage by stage. Computed from the record alone, so it can be computed again. */
export interface Presentation {
  readonly call: PipelineCall;
  readonly outcome: JournalEventOf<"tool.outcome">;
  /** The parsed output. */
  output: unknown;
  content: string | readonly ContentPart[];
  failure: ToolFailure | undefined;
  /** The text comes from the framework: no part of it is from the tool. */
  ownText: boolean;
  /** References replace the parts that the model may not see. */
  isRedacted?: boolean;
  /** Findings of the sanitizer; `scan-failed` if the scan failed. */
  findings?: readonly string[];
  /** The treatment of the text, and its frame. */
  treatment?: { readonly policy: InboundSanitizationPolicy; readonly frame: Sanitized["frame"] };
  /** The blob with the whole text, if only its beginning is shown. */
  spilled?: string;
}

/** Replaces the result with a failure. The failure of a writer states that its effect happened. */
export function refuse(presentation: Presentation, kind: ToolErrorKind, message: string, code?: string): void {
  const { call, outcome } = presentation;
  const happened =
    call.tool?.__isWriter === true &&
    outcome.failure === undefined &&
    outcome.simulated !== true &&
    outcome.deduplicated !== true;
  const text = happened
    ? `${message} The effect of the call DID happen: do not call it again for the same purpose.`
    : message;
  presentation.failure = failure(kind, text, {
    ...(code !== undefined && { code }),
    ...(happened && { effectHappened: true }),
  });
  presentation.content = text;
  presentation.output = undefined;
  presentation.ownText = true;
}

/** Text of a result without a value: vendors refuse empty results. */
const nothingReturned = "(no output)";

/**
 * Makes the content of the output: by the tool's `toModelOutput`, otherwise text and content parts are unchanged, and
 * any other value becomes JSON. `contentParts` follow it.
 */
export function toModelOutput(presentation: Presentation): void {
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

/** The error of a list of content parts; `undefined` if there is none. */
export function contentPartProblem(parts: unknown): string | undefined {
  if (!Array.isArray(parts)) return "its contentParts are not an array";
  const bad = parts.findIndex((part) => !isContentPart(part));
  return bad === -1 ? undefined : `contentParts[${bad}] is not text, image, audio or file part`;
}

/** A part in its journaled form: bytes as base64, and an image's plain web address as `url`. */
export function plainPart(part: ContentPart): ContentPart {
  if (part.type === "text" || part.data === undefined) return part;
  if (part.data instanceof Uint8Array) return { ...part, data: toBase64(part.data) };
  if (part.type === "image" && /^https?:\/\//i.test(part.data)) {
    const { data, ...rest } = part;
    return { ...rest, url: data };
  }
  return part;
}
