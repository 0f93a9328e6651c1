import type { ContentPart } from "../../contracts/content-part.ts";
import type { ResolvedTool } from "../../contracts/resolved-tool.ts";
import { askUserCodeNow } from "../../user-code/call-user-code.ts";
import { reportFailure } from "../hooks/hook-failures.ts";
import { ownCopy } from "../../user-code/copies.ts";
import { contentPartProblem, isContentPart, plainPart } from "./content-parts.ts";
import { refuse } from "./presentation.ts";
import type { Presentation } from "./presentation.ts";

/** What a model reads of a call that returned nothing: vendors refuse empty results. */
const nothingReturned = "(no output)";

/**
 * Makes the content of the output: by the tool's `toModelOutput`, else text as it is, content parts as they are, and
 * any other value as JSON. `contentParts` follow it.
 */
export function toModelOutput(presentation: Presentation): void {
  const { call, outcome } = presentation;
  if (outcome.failure !== undefined) return;
  const convert = outcome.simulated === true ? undefined : call.tool?.toModelOutput;
  try {
    const content = convert === undefined ? defaultContent(presentation.output) : converted(presentation, convert);
    presentation.content = withParts(content, outcome.contentParts);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const scrubbed = call.run.definition.secrets?.scrub(reason) ?? reason;
    refuse(
      presentation,
      "execution_failed",
      `The output of "${call.toolName}" could not be prepared for you: ${scrubbed}.`,
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
