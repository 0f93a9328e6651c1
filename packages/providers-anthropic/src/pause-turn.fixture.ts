/**
 * A search that pauses, as the documentation of stop reasons and of server tools describes it: the first answer ends
 * with `pause_turn` in the middle of the vendor's own loop, the second continues where it stopped.
 */
const head = {
  type: "message",
  role: "assistant",
  model: "claude-opus-5",
  content: [],
  stop_reason: null,
  stop_sequence: null,
};

/** The events until the pause: thinking, a search with its result, and a call without its result. */
export const pausing: readonly object[] = [
  {
    type: "message_start",
    message: { ...head, id: "msg_paused", usage: { input_tokens: 100, cache_read_input_tokens: 20, output_tokens: 1 } },
  },
  { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "I should search." } },
  {
    type: "content_block_delta",
    index: 0,
    delta: { type: "signature_delta", signature: "EqQBCgIYAhIM1gbcDa9GJwZA2b3h" },
  },
  { type: "content_block_stop", index: 0 },
  {
    type: "content_block_start",
    index: 1,
    content_block: { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} },
  },
  { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"query":"rain"}' } },
  { type: "content_block_stop", index: 1 },
  {
    type: "content_block_start",
    index: 2,
    content_block: {
      type: "web_search_tool_result",
      tool_use_id: "srvtoolu_1",
      content: [
        {
          type: "web_search_result",
          url: "https://example.com",
          title: "Rain",
          encrypted_content: "EpUB",
          page_age: null,
        },
      ],
    },
  },
  { type: "content_block_stop", index: 2 },
  { type: "content_block_start", index: 3, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 3, delta: { type: "text_delta", text: "Found one. " } },
  { type: "content_block_stop", index: 3 },
  {
    type: "content_block_start",
    index: 4,
    content_block: { type: "server_tool_use", id: "srvtoolu_2", name: "web_search", input: {} },
  },
  { type: "content_block_delta", index: 4, delta: { type: "input_json_delta", partial_json: '{"query":"more rain"}' } },
  { type: "content_block_stop", index: 4 },
  {
    type: "message_delta",
    delta: {
      stop_reason: "pause_turn",
      stop_sequence: null,
      container: { id: "container_1", expires_at: "2999-01-01T00:00:00Z" },
    },
    usage: { output_tokens: 40 },
  },
  { type: "message_stop" },
];

/** The events after the pause: the open call's result, and the answer. */
export const goingOn: readonly object[] = [
  {
    type: "message_start",
    message: { ...head, id: "msg_ended", usage: { input_tokens: 200, cache_read_input_tokens: 120, output_tokens: 1 } },
  },
  {
    type: "content_block_start",
    index: 0,
    content_block: {
      type: "web_search_tool_result",
      tool_use_id: "srvtoolu_2",
      content: { type: "web_search_tool_result_error", error_code: "max_uses_exceeded" },
    },
  },
  { type: "content_block_stop", index: 0 },
  { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "It rains." } },
  { type: "content_block_stop", index: 1 },
  { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 15 } },
  { type: "message_stop" },
];

/** An overload in the middle of an answer: the frame that the documentation of streaming shows. */
export const overloaded: object = {
  type: "error",
  error: { type: "overloaded_error", message: "Overloaded" },
  request_id: "req_011CSHoEeqs5C35K2UUqR7Fy",
};

/** The same answer as JSON: its complete blocks. */
export function wholeAnswer(events: readonly object[]): object {
  const message: Record<string, unknown> & { content: Record<string, unknown>[] } = { ...head, content: [] };
  for (const event of events as readonly Record<string, Record<string, unknown>>[]) {
    const { delta, usage, message: begun, content_block: block } = event;
    const last = message.content.at(-1);
    if (begun !== undefined) Object.assign(message, begun, { content: [] });
    if (block !== undefined) message.content.push({ ...block });
    if (usage !== undefined) Object.assign(message, delta, { usage: { ...(message["usage"] as object), ...usage } });
    else if (delta !== undefined && last !== undefined) {
      for (const [name, value] of Object.entries(delta)) {
        if (name === "partial_json") last["input"] = JSON.parse(String(value));
        else if (name !== "type") last[name] = name === "signature" ? value : `${String(last[name])}${String(value)}`;
      }
    }
  }
  return message;
}
