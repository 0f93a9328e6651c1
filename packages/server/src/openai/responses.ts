import type { AnswerEnd } from "./run-answer.ts";

/** Facts that a response has from its beginning. */
export interface ResponseHead {
  readonly runId: string;
  readonly model: string;
  /** Seconds since the epoch. */
  readonly createdAt: number;
  readonly previousResponseId: string | null;
  readonly conversation: string | undefined;
}

/** The id of a run's response. */
export const responseId = (runId: string): string => `resp_${runId}`;

/** The run of a response's id; `undefined` for any other text. */
export const runOfResponse = (id: string): string | undefined =>
  id.startsWith("resp_") ? id.slice("resp_".length) : undefined;

/**
 * A run as a response.
 *
 * @param text - The text so far.
 * @param end - Absent while the run continues.
 */
export function responseOf(head: ResponseHead, text: string, end: AnswerEnd | undefined): object {
  const status = end === undefined ? "in_progress" : statusOf(end);
  const error = end?.error === undefined ? null : { code: "server_error", message: end.error };
  return {
    id: responseId(head.runId),
    object: "response",
    created_at: head.createdAt,
    status,
    error,
    incomplete_details: status === "incomplete" ? { reason: reasonOf(end) } : null,
    instructions: null,
    metadata: end === undefined ? {} : { run_status: end.output.status, stop_reason: end.output.stopReason },
    model: head.model,
    output: end === undefined ? [] : [messageOf(head, text, "completed")],
    parallel_tool_calls: true,
    previous_response_id: head.previousResponseId,
    ...(head.conversation !== undefined && { conversation: { id: head.conversation } }),
    temperature: null,
    tool_choice: "auto",
    tools: [],
    top_p: null,
    usage: end === undefined ? null : usageOf(end),
  };
}

/** Makes the events of a response's stream, each with its number. */
export function responseEvents(head: ResponseHead): {
  begin(): object[];
  delta(text: string): object[];
  end(text: string, end: AnswerEnd): object[];
} {
  let number = 0;
  const event = (type: string, fields: object): object => ({ type, sequence_number: number++, ...fields });
  const place = { item_id: itemId(head), output_index: 0, content_index: 0 };
  return {
    begin: () => {
      const response = responseOf(head, "", undefined);
      return [
        event("response.created", { response }),
        event("response.in_progress", { response }),
        event("response.output_item.added", {
          output_index: 0,
          item: { ...messageOf(head, "", "in_progress"), content: [] },
        }),
        event("response.content_part.added", { ...place, part: partOf("") }),
      ];
    },
    delta: (delta) => [event("response.output_text.delta", { ...place, delta, logprobs: [] })],
    end: (text, end) => {
      const response = responseOf(head, text, end);
      const status = statusOf(end);
      return [
        event("response.output_text.done", { ...place, text, logprobs: [] }),
        event("response.content_part.done", { ...place, part: partOf(text) }),
        event("response.output_item.done", { output_index: 0, item: messageOf(head, text, "completed") }),
        event(`response.${status}`, { response }),
      ];
    },
  };
}

const itemId = ({ runId }: ResponseHead): string => `msg_${runId}`;

function messageOf(head: ResponseHead, text: string, status: string): object {
  return { id: itemId(head), type: "message", status, role: "assistant", content: [partOf(text)] };
}

function partOf(text: string): object {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

function statusOf({ error, output: { stopReason } }: AnswerEnd): "completed" | "failed" | "incomplete" {
  if (error !== undefined) return "failed";
  const isCut = stopReason === "truncated" || stopReason === "refused" || stopReason === "guardrail_blocked";
  return isCut ? "incomplete" : "completed";
}

function reasonOf(end: AnswerEnd | undefined): string {
  return end?.output.stopReason === "truncated" ? "max_output_tokens" : "content_filter";
}

function usageOf({ output: { usage } }: AnswerEnd): object {
  const { inputTokens, outputTokens, totalTokens } = usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: totalTokens,
  };
}
