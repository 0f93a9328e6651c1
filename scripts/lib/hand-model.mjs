// A model and a tool written by hand, which need only an agent.

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const capabilities = {
  input: { image: false, audio: false, file: false },
  toolResultMedia: "text",
  toolCallId: {},
  toolName: { pattern: /^.*$/, maxLength: 128 },
  replaysReasoning: false,
  systemAnywhere: true,
  structuredOutput: "with-tools",
};

/** @typedef {{ readonly messages: readonly { readonly role: string, readonly content: unknown }[] }} HandRequest */

/** A schema of no library: `{ a: number }`. */
export const numberSchema = {
  "~standard": {
    version: 1,
    vendor: "none",
    validate: (/** @type {unknown} */ value) => ({ value }),
    jsonSchema: {
      input: () => ({ type: "object", properties: { a: { type: "number" } }, required: ["a"] }),
      output: () => ({}),
    },
  },
};

/**
 * Calls a tool with `{ a: 21 }` once, and then repeats the result.
 *
 * @param {string} toolName
 * @param {() => void} [onAsked] - Called with each request.
 */
export function handModel(toolName, onAsked = () => undefined) {
  /** @param {HandRequest} request */
  const say = ({ messages }) => {
    onAsked();
    const result = messages.find(({ role }) => role === "tool");
    if (result !== undefined) return answer([{ type: "text", text: `It is ${JSON.stringify(result.content)}` }], []);
    return answer([{ type: "tool-call", toolCallId: "c1" }], [{ id: "c1", name: toolName, arguments: '{"a":21}' }]);
  };
  return {
    provider: "hand",
    api: "none",
    modelId: "m",
    capabilities,
    generate: async (/** @type {HandRequest} */ request) => say(request),
    async *stream(/** @type {HandRequest} */ request) {
      const response = say(request);
      yield { type: "finish", finishReason: response.finishReason, usage, response };
    },
  };
}

/**
 * @param {readonly object[]} content
 * @param {readonly object[]} toolCalls
 */
function answer(content, toolCalls) {
  const finishReason = toolCalls.length > 0 ? "tool_calls" : "stop";
  const provenance = { provider: "hand", api: "none", model: "m" };
  return {
    message: { id: `m${toolCalls.length}`, role: "assistant", content, toolCalls, finishReason, provenance, usage },
    usage,
    finishReason,
    raw: undefined,
    warnings: [],
  };
}
