import type { AnswerEnd } from "./run-answer.ts";

/** Fields that all chunks of one completion have. */
export interface CompletionHead {
  readonly runId: string;
  readonly model: string;
  /** Seconds since the epoch. */
  readonly created: number;
}

/** A whole completion. */
export function chatCompletion(head: CompletionHead, text: string, end: AnswerEnd): object {
  return {
    ...base(head, "chat.completion"),
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: text, refusal: null },
        finish_reason: finishReason(end),
        logprobs: null,
      },
    ],
    usage: usageOf(end),
    run: runOf(end),
  };
}

/** A chunk with more text. */
export function completionChunk(head: CompletionHead, delta: object, finish: string | null = null): object {
  return {
    ...base(head, "chat.completion.chunk"),
    choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
  };
}

/** The chunks that close a stream. */
export function closingCompletion(
  head: CompletionHead,
  separator: string,
  end: AnswerEnd,
  withUsage: boolean,
): object[] {
  if (end.error !== undefined)
    return [{ error: { message: end.error, type: "server_error", code: end.output.stopReason } }];
  const asked = end.question === "" ? [] : [completionChunk(head, { content: separator + end.question })];
  const last = { ...completionChunk(head, {}, finishReason(end)), run: runOf(end) };
  const usage = withUsage ? [{ ...base(head, "chat.completion.chunk"), choices: [], usage: usageOf(end) }] : [];
  return [...asked, last, ...usage];
}

function base({ runId, model, created }: CompletionHead, object: string): object {
  return { id: `chatcmpl-${runId}`, object, created, model };
}

function runOf({ output: { runId, status, stopReason }, interruptions }: AnswerEnd): object {
  return { id: runId, status, stop_reason: stopReason, waits_for: interruptions.map(({ id, kind }) => ({ id, kind })) };
}

function finishReason({ output: { stopReason } }: AnswerEnd): string {
  if (stopReason === "truncated") return "length";
  return stopReason === "refused" || stopReason === "guardrail_blocked" ? "content_filter" : "stop";
}

function usageOf({ output: { usage } }: AnswerEnd): object {
  const { inputTokens, outputTokens, totalTokens } = usage;
  return { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: totalTokens };
}
