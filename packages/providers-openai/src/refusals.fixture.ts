/** A refusal as the Responses API streams it. */
export const responsesRefusal: readonly object[] = [
  {
    type: "response.created",
    sequence_number: 0,
    response: { id: "resp_refused", object: "response", status: "in_progress", output: [] },
  },
  {
    type: "response.output_item.added",
    sequence_number: 1,
    output_index: 0,
    item: { id: "msg_refused", type: "message", status: "in_progress", content: [], role: "assistant" },
  },
  {
    type: "response.content_part.added",
    sequence_number: 2,
    output_index: 0,
    content_index: 0,
    item_id: "msg_refused",
    part: { type: "refusal", refusal: "" },
  },
  {
    type: "response.refusal.delta",
    sequence_number: 3,
    output_index: 0,
    content_index: 0,
    item_id: "msg_refused",
    delta: "I cannot ",
  },
  {
    type: "response.refusal.delta",
    sequence_number: 4,
    output_index: 0,
    content_index: 0,
    item_id: "msg_refused",
    delta: "help with that.",
  },
  {
    type: "response.refusal.done",
    sequence_number: 5,
    output_index: 0,
    content_index: 0,
    item_id: "msg_refused",
    refusal: "I cannot help with that.",
  },
  {
    type: "response.output_item.done",
    sequence_number: 6,
    output_index: 0,
    item: {
      id: "msg_refused",
      type: "message",
      status: "completed",
      content: [{ type: "refusal", refusal: "I cannot help with that." }],
      role: "assistant",
    },
  },
  {
    type: "response.completed",
    sequence_number: 7,
    response: {
      id: "resp_refused",
      object: "response",
      status: "completed",
      output: [
        {
          id: "msg_refused",
          type: "message",
          status: "completed",
          content: [{ type: "refusal", refusal: "I cannot help with that." }],
          role: "assistant",
        },
      ],
      usage: {
        input_tokens: 40,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 9,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 49,
      },
    },
  },
];

const head = { id: "chatcmpl-refused", object: "chat.completion.chunk", created: 1, model: "gpt-4.1" };

/** The same as Chat Completions streams it. */
export const chatRefusal: readonly (object | string)[] = [
  { ...head, choices: [{ index: 0, delta: { role: "assistant", content: "", refusal: null }, finish_reason: null }] },
  { ...head, choices: [{ index: 0, delta: { refusal: "I cannot " }, finish_reason: null }] },
  { ...head, choices: [{ index: 0, delta: { refusal: "help with that." }, finish_reason: null }] },
  { ...head, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
  { ...head, choices: [], usage: { prompt_tokens: 40, completion_tokens: 9, total_tokens: 49 } },
  "[DONE]",
];
