import type { Fields, WrittenAnswer } from "./written-answer.fixture.ts";

export const chunk = (delta: Fields, more: Fields = {}, top: Fields = {}): Fields => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1748000000,
  model: "m",
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
  ...top,
});
export const tokens: Fields = { prompt_tokens: 19, completion_tokens: 21, total_tokens: 40 };
export const last = (usage: Fields = tokens, top: Fields = {}): Fields => ({
  ...chunk({}),
  choices: [],
  usage,
  ...top,
});
export const called = (index: number, id: string | undefined, name: string | undefined, args: string): Fields => ({
  tool_calls: [
    {
      index,
      ...(id === undefined ? {} : { id, type: "function" }),
      function: { ...(name === undefined ? {} : { name }), arguments: args },
    },
  ],
});
export const chat = (vendor: string, page: string, ...events: readonly Fields[]): WrittenAnswer => ({
  vendor: `openai-chat-${vendor}`,
  wire: "openai-chat",
  page,
  events,
});
export const whole = (
  vendor: string,
  page: string,
  message: Fields,
  more: Fields = {},
  top: Fields = {},
): WrittenAnswer => ({
  vendor: `openai-chat-${vendor}`,
  wire: "openai-chat",
  page,
  body: {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1748000000,
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: "stop", ...more }],
    usage: tokens,
    ...top,
  },
});
