import type { Question } from "../../contracts/question.ts";
import type { ResolvedTool } from "../../contracts/resolved-tool.ts";
import { lazyPart } from "../../loading/lazy-part.ts";
import { askUserCodeNow } from "../../user-code/call-user-code.ts";
import { ownCopy } from "../../user-code/copies.ts";
import { reportFailure } from "../hooks/hook-failures.ts";
import { displayed, scrubbed, type MaybePromise } from "./call.ts";
import type { QuestionSubject } from "./approval-binding.ts";
import type { BoundTool } from "./approval-scope.ts";
import type { AskedBy } from "./call-question.ts";

const wording = lazyPart("The wording of questions", () => import("./call-question.ts"));

/** A call with a question for a person. */
export interface QuestionedCall extends QuestionSubject {
  readonly args: unknown;
  /** Parsed arguments, for `describeCall`. */
  readonly input?: unknown;
  readonly tool: (BoundTool & Pick<ResolvedTool, "describeCall">) | undefined;
}

/** Makes the question about a call. */
export function questionAbout(call: QuestionedCall, by: AskedBy): MaybePromise<Question> {
  return titledQuestion(call, by, describedBy(call));
}

/** Makes the question about a call whose `describeCall` ran already. */
export function titledQuestion(
  call: QuestionedCall,
  by: AskedBy,
  described: string | undefined,
): MaybePromise<Question> {
  const args = { args: scrubbed(call, call.args), shown: displayed(call, call.args) };
  return wording(({ callQuestion }) => callQuestion(call, args, by, described));
}

/** The tool's own title. If `describeCall` fails, the failure is reported, and the default title is used. */
export function describedBy({ tool, input, toolName, run }: QuestionedCall): string | undefined {
  const describe = tool?.describeCall;
  if (describe === undefined) return undefined;
  const answer = askUserCodeNow<unknown>("describeCall", () => describe(ownCopy(input)));
  if (answer.ok && typeof answer.value === "string" && /[\p{L}\p{N}]/u.test(answer.value)) return answer.value;
  const error = answer.ok ? new TypeError("It has to return a sentence.") : answer.error;
  reportFailure(run, `describeCall of ${toolName}`, error, "The title is made of the arguments.");
  return undefined;
}
