import type { Decision, Interruption, JsonSchema } from "@bailiwick/core";
import { clientCallId } from "../runs/client-call-id.ts";

/** Result of a call that a client ran. */
export interface ClientResult {
  /** The call, as the client knows it. */
  readonly callId: string;
  /** A value, or a text that may be JSON. */
  readonly output?: unknown;
  /** True if `output` is a text because the protocol has no values. */
  readonly isText?: boolean | undefined;
  /** The reason of a failure; then there is no output. */
  readonly error?: string | undefined;
}

/** The answering user, and the channel. */
interface Origin {
  readonly decidedBy?: string;
  readonly channel: string;
}

/**
 * The decisions from results of client tools. Results of calls that no question waits for are left out: chat clients
 * send the server's calls again.
 */
export function clientToolDecisions(
  open: readonly Interruption[],
  results: readonly ClientResult[],
  origin: Origin,
): readonly Decision[] {
  return open.flatMap((question) => {
    if (question.kind !== "client_tool") return [];
    const result = results.findLast(({ callId }) => callId === clientCallId(question));
    if (result === undefined) return [];
    if (result.error !== undefined) return [question.fail(result.error, origin)];
    const { output, isText } = result;
    return [question.answer(isText === true ? valueOf(output, question.answerJsonSchema) : output, origin)];
  });
}

/** A text as the value that the tool's schema expects: JSON, unless the output is a text. */
function valueOf(text: unknown, schema: JsonSchema | undefined): unknown {
  if (typeof text !== "string" || schema?.["type"] === "string") return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
