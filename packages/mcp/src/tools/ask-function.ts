import { askForRequest, compileSchema, toError } from "@bailiwick/core/extension";
import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/client";
import type { ElicitationMode, ServerQuestion } from "../questions.ts";
import { answerSchemaOf, formOf, wire } from "./elicitation.ts";

/** A function of the developer that answers for the server's client. */
export interface AskedFunction {
  /** The option that contains the function, as its user knows it. */
  readonly name: string;
  /** Aborted when no answer is needed any more. */
  readonly signal: AbortSignal;
  /** Logs a failure. Servers never see it: its text is not meant for them. */
  readonly failed: (message: string, error: Error) => void;
}

/**
 * Calls a function of the developer for a server. A failure is logged and gives `undefined`, and so does the end of the
 * call that the server asked in.
 */
export async function askFunction<T>(
  { name, signal, failed }: AskedFunction,
  call: () => T | PromiseLike<T>,
): Promise<T | undefined> {
  try {
    return await askForRequest(name, signal, call, Infinity);
  } catch (error) {
    if (!signal.aborted) failed(`"${name}" failed: ${toError(error).message}`, toError(error));
    return undefined;
  }
}

/**
 * Answers a server's question with the function of `elicitation`. Its answer has to fit the server's form; any other one, and
 * a failure, cancels the question.
 */
export async function answerByFunction(
  mode: Exclude<ElicitationMode, "suspend">,
  request: ElicitRequest,
  question: Omit<ServerQuestion, "message" | "schema">,
  failed: AskedFunction["failed"],
): Promise<ElicitResult> {
  const asked = { name: "elicitation", signal: question.signal, failed };
  const answer = await askFunction(asked, async () => {
    const answered = wire(await mode({ ...question, ...formOf(request) }), request);
    const { validate } = compileSchema(answerSchemaOf(request), { what: `The question of "${question.server}"` });
    const checked = await validate(answered);
    if (checked.ok) return answered;
    const [first] = checked.issues;
    throw new TypeError(
      `it returned an answer that does not fit the question: ${first?.path ?? ""} ${first?.message ?? ""}`,
    );
  });
  return answer ?? { action: "cancel" };
}
