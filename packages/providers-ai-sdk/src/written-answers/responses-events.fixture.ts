import type { Fields, WrittenAnswer } from "./written-answer.fixture.ts";

const response = (more: Fields = {}): Fields => ({
  id: "resp_1",
  object: "response",
  created_at: 1741476777,
  status: "in_progress",
  error: null,
  incomplete_details: null,
  model: "gpt-5.5",
  output: [],
  parallel_tool_calls: true,
  usage: null,
  ...more,
});
const used: Fields = {
  input_tokens: 36,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 87,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 123,
};
export const item = (
  output_index: number,
  whole: Fields,
  begun: Fields,
  ...between: readonly Fields[]
): readonly Fields[] => [
  { type: "response.output_item.added", output_index, item: { ...whole, ...begunStatus(whole), ...begun } },
  ...between.map((event) => ({ item_id: whole["id"], output_index, ...event })),
  { type: "response.output_item.done", output_index, item: whole },
];
export const said = (output_index: number, value: string, annotations: readonly Fields[] = []): readonly Fields[] => {
  const id = `msg_${output_index}`;
  const part = { type: "output_text", text: value, annotations, logprobs: [] };
  return item(
    output_index,
    { id, type: "message", status: "completed", role: "assistant", content: [part] },
    { content: [] },
    { type: "response.content_part.added", content_index: 0, part: { ...part, text: "", annotations: [] } },
    { type: "response.output_text.delta", content_index: 0, delta: value, obfuscation: "x" },
    ...annotations.map((annotation, annotation_index) => ({
      type: "response.output_text.annotation.added",
      content_index: 0,
      annotation_index,
      annotation,
    })),
    { type: "response.output_text.done", content_index: 0, text: value },
    { type: "response.content_part.done", content_index: 0, part },
  );
};
export const openaiStream = (
  page: string,
  events: readonly (readonly Fields[])[],
  last: Fields = {},
  vendor = "openai-responses",
): WrittenAnswer => {
  const all = events.flat();
  const output = all.flatMap((event) => (event["type"] === "response.output_item.done" ? [event["item"]] : []));
  const status = (last["status"] as string | undefined) ?? "completed";
  return {
    vendor,
    wire: "openai-responses",
    page,
    events: [
      { type: "response.created", response: response() },
      { type: "response.in_progress", response: response() },
      ...all,
      { type: `response.${status}`, response: response({ status, output, usage: used, ...last }) },
    ].map((event, sequence_number) => ({ ...event, sequence_number })),
  };
};
export const responsesPage = "https://developers.openai.com/api/reference/resources/responses/streaming-events";
export const search = { id: "ws_1", type: "web_search_call", status: "completed" };

/** Requests for a decision have no status. */
function begunStatus({ type }: Fields): Fields {
  return type === "mcp_approval_request" ? {} : { status: "in_progress" };
}
