import type { Question } from "../../contracts/question.ts";
import type { ResolvedTool } from "../../contracts/resolved-tool.ts";
import { askUserCodeNow } from "../../user-code/call-user-code.ts";
import { ownCopy } from "../../user-code/copies.ts";
import { reportFailure } from "../hooks/hook-failures.ts";
import { displayed, scrubbed } from "./approval-binding.ts";
import type { QuestionSubject } from "./approval-binding.ts";
import { callQuestion, type AskedBy } from "./call-question.ts";

/** A call that a person is asked about. */
export interface QuestionedCall extends QuestionSubject {
  readonly args: unknown;
  /** Parsed arguments, for `describeCall`. */
  readonly input?: unknown;
  readonly tool: Pick<ResolvedTool, "__definitionHash" | "describeCall"> | undefined;
}

/** Makes the question about a call. */
export function questionAbout(call: QuestionedCall, by: AskedBy): Question {
  const args = scrubbed(call, call.args);
  return callQuestion(call, { args, shown: displayed(call, args) }, by, describedBy(call));
}

/** The title that the tool makes. A `describeCall` that fails is reported, and the default title is used. */
function describedBy({ tool, input, toolName, run }: QuestionedCall): string | undefined {
  const describe = tool?.describeCall;
  if (describe === undefined) return undefined;
  const answer = askUserCodeNow("describeCall", () => {
    const text: unknown = describe(ownCopy(input));
    if (typeof text !== "string" || !/[\p{L}\p{N}]/u.test(text)) throw new TypeError("It has to return a sentence.");
    return text;
  });
  if (answer.ok) return answer.value;
  reportFailure(run, `describeCall of ${toolName}`, answer.error, "The title is made of the arguments.");
  return undefined;
}
