import type { Fields, WrittenAnswer } from "./written-answer.fixture.ts";

export const start = (more: Fields = {}): Fields => ({
  type: "message_start",
  message: {
    id: "msg_01",
    type: "message",
    role: "assistant",
    model: "claude-opus-5",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 20, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    ...more,
  },
});
export const block = (index: number, content_block: Fields, ...deltas: readonly Fields[]): readonly Fields[] => [
  { type: "content_block_start", index, content_block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];
export const text = (index: number, ...texts: readonly string[]): readonly Fields[] =>
  block(index, { type: "text", text: "" }, ...texts.map((one) => ({ type: "text_delta", text: one })));
export const json = (...pieces: readonly string[]): readonly Fields[] =>
  pieces.map((partial_json) => ({ type: "input_json_delta", partial_json }));
export const end = (
  stop_reason: string,
  usage: Fields = { output_tokens: 42 },
  more: Fields = {},
): readonly Fields[] => [
  { type: "message_delta", delta: { stop_reason, stop_sequence: null, ...more }, usage },
  { type: "message_stop" },
];
export const claude = (page: string, ...events: readonly (Fields | readonly Fields[])[]): WrittenAnswer => ({
  vendor: "anthropic",
  wire: "anthropic-messages",
  page: `https://platform.claude.com/docs/en/${page}`,
  events: events.flat() as readonly Fields[],
});
