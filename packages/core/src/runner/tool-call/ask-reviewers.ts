import { textOfContent } from "../../tools/content-text.ts";
import { contentPartProblem } from "./content-parts.ts";
import { refuse } from "./presentation.ts";
import type { Presentation } from "./presentation.ts";

type Reviewers = Presentation["call"]["run"]["points"]["review"];

/** Asks the parts of the run about a result. They may replace or withhold what the model reads. */
export function review(presentation: Presentation): Promise<void> | undefined {
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
    const message = `The result of "${presentation.call.toolName}" is withheld: ${by} gave a replacement that is no content.`;
    refuse(presentation, "policy_denied", message, "GUARDRAIL_FAILED");
    return;
  }
  presentation.content = content;
  // The replaced text must not stay in the message of a failure.
  if (presentation.failure !== undefined)
    presentation.failure = { ...presentation.failure, message: textOfContent(content) };
  if (finding !== undefined) presentation.findings = [...(presentation.findings ?? []), finding];
}
