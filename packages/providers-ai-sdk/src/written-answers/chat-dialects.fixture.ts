import { called, chat, chunk, last, tokens, whole } from "./chat-events.fixture.ts";
import type { Fields, WrittenAnswer } from "./written-answer.fixture.ts";

const stop: Fields = { finish_reason: "stop" };
const call = (id: string, args: unknown, more: Fields = {}): Fields => ({
  id,
  type: "function",
  function: { name: "look", arguments: args },
  ...more,
});
const toolCalls: Fields = { finish_reason: "tool_calls" };

/** Answers of servers with their own dialects of Chat Completions. */
export const chatDialects: Readonly<Record<string, WrittenAnswer>> = {
  "two answers at once (OpenAI)": chat(
    "openai",
    "https://developers.openai.com/api/reference/resources/chat/subresources/completions/methods/create",
    chunk({ role: "assistant", content: "" }),
    chunk({ role: "assistant", content: "" }, { index: 1 }),
    chunk({ content: "One" }),
    chunk({ content: "Two" }, { index: 1 }),
    chunk({ content: " second." }, { index: 1 }),
    chunk({ content: " first." }),
    chunk({}, { index: 1, ...stop }),
    chunk({}, stop),
    last(),
  ),
  "a custom tool (OpenAI)": whole(
    "openai",
    "https://developers.openai.com/api/docs/guides/function-calling",
    { content: null, tool_calls: [{ id: "call_x", type: "custom", custom: { name: "look", input: "SELECT 1" } }] },
    toolCalls,
  ),
  "thinking and a call in one piece (DeepSeek)": whole(
    "deepseek",
    "https://api-docs.deepseek.com/guides/thinking_mode",
    {
      content: "",
      reasoning_content: "Look there.",
      tool_calls: [call("call_00_b", '{"place":"here"}', { index: 0 })],
    },
    toolCalls,
    { usage: { ...tokens, completion_tokens_details: { reasoning_tokens: 6 } } },
  ),
  "an answer that lacked resources (DeepSeek)": chat(
    "deepseek",
    "https://api-docs.deepseek.com/api/create-chat-completion",
    chunk({ role: "assistant", content: "Half of" }),
    chunk({}, { finish_reason: "insufficient_system_resource" }),
    last(),
  ),
  "tools of the server one after another (Groq)": chat(
    "groq",
    "https://console.groq.com/docs/compound/systems/compound",
    chunk({ role: "assistant" }),
    chunk({ reasoning: "Search first." }),
    chunk({ executed_tools: [{ index: 0, type: "search", arguments: '{"query": "weather"}' }] }),
    chunk({
      executed_tools: [
        {
          index: 0,
          type: "search",
          arguments: '{"query": "weather"}',
          output: "Title: W",
          search_results: { results: [{ title: "W", url: "https://example.com/w", content: "warm", score: 0.9 }] },
        },
      ],
    }),
    chunk({ executed_tools: [{ index: 1, type: "python", arguments: '{"code": "1+1"}' }] }),
    chunk({
      executed_tools: [
        {
          index: 1,
          type: "python",
          arguments: '{"code": "1+1"}',
          output: "2",
          code_results: [{ text: "2", png: "iVBORw0KGgo=" }],
        },
      ],
    }),
    chunk({ content: "Warm, and two." }),
    chunk({}, stop, { x_groq: { id: "req_1", usage: tokens } }),
  ),
  "a document and its reference in pieces (Mistral)": chat(
    "mistral",
    "https://docs.mistral.ai/capabilities/citations",
    chunk({ role: "assistant", content: "" }),
    chunk({ content: [{ type: "text", text: "The prize" }] }),
    chunk({ content: [{ type: "reference", reference_ids: ["doc-7"] }] }),
    chunk({ content: " was given." }, stop, { usage: tokens }),
  ),
  "calls without a position (Mistral)": chat(
    "mistral",
    "https://docs.mistral.ai/capabilities/function_calling",
    chunk(
      {
        role: "assistant",
        content: "",
        tool_calls: [
          { id: "D681PevKs", function: { name: "look", arguments: '{"place":"a"}' }, index: 0 },
          { id: "E681PevKs", function: { name: "look", arguments: '{"place":"b"}' }, index: 1 },
        ],
      },
      toolCalls,
      { usage: tokens },
    ),
  ),
  "a text that is too long for the model (Mistral)": whole(
    "mistral",
    "https://docs.mistral.ai/api",
    { content: "As far as", tool_calls: null, prefix: false },
    { finish_reason: "model_length" },
  ),
  "a search of the server as a call (Kimi)": whole(
    "moonshot",
    "https://platform.moonshot.ai/docs/guide/use-web-search",
    {
      content: "",
      reasoning_content: "I search.",
      tool_calls: [
        {
          index: 0,
          id: "$web_search:0",
          type: "builtin_function",
          function: {
            name: "$web_search",
            arguments: '{"search_result":{"search_id":"abc"},"usage":{"total_tokens":13}}',
          },
        },
      ],
    },
    toolCalls,
  ),
  "calls with ids of the server's own (Kimi)": chat(
    "moonshot",
    "https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model",
    chunk({ role: "assistant", content: "" }),
    chunk({ reasoning_content: "Two looks." }),
    chunk(called(0, "functions.look:0", "look", "")),
    chunk(called(0, undefined, undefined, '{"place":"a"}')),
    chunk(called(1, "functions.look:1", "look", "")),
    chunk(called(1, undefined, undefined, '{"place":"b"}')),
    chunk({}, { ...toolCalls, usage: { ...tokens, cached_tokens: 6 } }),
  ),
  "thinking in one piece (Qwen)": whole(
    "alibaba",
    "https://www.alibabacloud.com/help/en/model-studio/deep-thinking",
    { content: "Yes.", reasoning_content: "Hm" },
    {},
    { usage: { ...tokens, completion_tokens_details: { reasoning_tokens: 9, text_tokens: 12 } } },
  ),
  "a streamed call of a thinking model (Z.ai)": chat(
    "zai",
    "https://docs.z.ai/guides/capabilities/stream-tool",
    chunk({ role: "assistant", reasoning_content: "Look" }),
    chunk({
      role: "assistant",
      tool_calls: [{ id: "call_-80", index: 0, type: "function", function: { name: "look", arguments: "" } }],
    }),
    chunk({ role: "assistant", tool_calls: [{ index: 0, function: { arguments: '{"place":' } }] }),
    chunk({ role: "assistant", tool_calls: [{ index: 0, function: { arguments: '"here"}' } }] }),
    chunk({ role: "assistant", content: "" }, toolCalls, { usage: tokens }),
  ),
  "a sensitive text (Z.ai)": whole(
    "zai",
    "https://docs.z.ai/api-reference/llm/chat-completion",
    { content: "" },
    { finish_reason: "sensitive" },
    { contentFilter: [{ role: "user", level: 1 }] },
  ),
  "a refused key in an answer (MiniMax)": {
    ...whole("minimax", "https://platform.minimax.io/docs/api-reference/errorcode", {}),
    body: {
      id: "m1",
      choices: null,
      created: 0,
      model: "m",
      base_resp: { status_code: 1004, status_msg: "login fail: Please carry the API secret key" },
    },
  },
  "interleaved thinking and a call (MiniMax)": whole(
    "minimax",
    "https://platform.minimax.io/docs/guides/text-m2-function-call",
    {
      content: "I look.",
      name: "MiniMax AI",
      audio_content: "",
      reasoning_content: "Look there.",
      reasoning_details: [
        {
          type: "reasoning.text",
          id: "reasoning-text-1",
          format: "MiniMax-response-v1",
          index: 0,
          text: "Look there.",
        },
      ],
      tool_calls: [call("call_function_1", '{"place": "here"}', { index: 0 })],
    },
    toolCalls,
    { input_sensitive: false, output_sensitive: false, base_resp: { status_code: 0, status_msg: "" } },
  ),
  "every piece with its counts (SGLang)": chat(
    "sglang",
    "https://docs.sglang.ai/basic_usage/openai_api_completions.html",
    chunk(
      { role: "assistant", content: "", reasoning_content: null, tool_calls: null },
      { matched_stop: null },
      { usage: null },
    ),
    chunk({ role: null, content: null, reasoning_content: "Hm", tool_calls: null }),
    chunk({ role: null, content: "Yes.", reasoning_content: null, tool_calls: null }, { matched_stop: null }),
    chunk({ role: null, content: null }, { ...stop, matched_stop: 151645 }),
    last(),
  ),
  "a request that the server gave up (vLLM)": chat(
    "vllm",
    "https://github.com/vllm-project/vllm/issues/57082",
    chunk({ role: "assistant", content: "Half" }),
    chunk({}, { finish_reason: "abort", matched_stop: null }),
    last(),
  ),
  "an error in the stream (llama.cpp)": chat(
    "llamacpp",
    "https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md",
    chunk({ role: "assistant", content: null }),
    { error: { code: 500, message: "Context size has been exceeded.", type: "server_error" } },
  ),
  "a call with a number for an id (LM Studio)": chat(
    "lmstudio",
    "https://lmstudio.ai/docs/developer/openai-compat/tools",
    chunk({
      role: "assistant",
      tool_calls: [{ index: 0, id: "365174485", type: "function", function: { name: "look", arguments: "" } }],
    }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{"place":"here"}' } }] }),
    chunk({}, toolCalls, { stats: {} }),
    last(),
  ),
  "several calls at one position (Ollama)": chat(
    "ollama",
    "https://github.com/ollama/ollama/issues/15457",
    chunk({
      role: "assistant",
      content: "",
      tool_calls: [
        { id: "call_a1", index: 0, type: "function", function: { name: "look", arguments: '{"place":"a"}' } },
      ],
    }),
    chunk({
      role: "assistant",
      content: "",
      tool_calls: [
        { id: "call_a2", index: 0, type: "function", function: { name: "look", arguments: '{"place":"b"}' } },
      ],
    }),
    chunk({ role: "assistant", content: "" }, toolCalls),
    last(),
  ),
  "times of the server (Cerebras)": chat(
    "cerebras",
    "https://inference-docs.cerebras.ai/api-reference/chat-completions",
    chunk({ role: "assistant" }),
    chunk({ reasoning: "Hm" }),
    chunk({ content: "Yes." }),
    chunk({}, stop, { usage: tokens, time_info: { queue_time: 0.1, total_time: 0.2 } }),
  ),
  "a signed call (Gemini's other endpoint)": chat(
    "gemini",
    "https://ai.google.dev/gemini-api/docs/thought-signatures",
    chunk({
      role: "assistant",
      tool_calls: [
        {
          index: 0,
          id: "function-call-1",
          type: "function",
          function: { name: "look", arguments: '{"place":"here"}' },
          extra_content: { google: { thought_signature: "c2lnbmF0dXJl" } },
        },
      ],
    }),
    chunk({ role: "assistant" }, stop, { usage: tokens }),
  ),
  "reasoning and a tool call of an open model (vLLM)": chat(
    "vllm",
    "https://docs.vllm.ai/en/latest/features/tool_calling.html",
    chunk({ role: "assistant", content: "" }, {}, { prompt_token_ids: null }),
    chunk({ reasoning: "Hm", reasoning_content: "Hm" }),
    chunk({ tool_calls: [{ id: "chatcmpl-tool-1", type: "function", index: 0, function: { name: "look" } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{"place": "' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: 'here"}' } }] }),
    chunk({ content: "" }, { ...toolCalls, stop_reason: null, token_ids: null }),
    last(),
  ),
  "an answer of the older reasoning field (xAI)": whole(
    "xai",
    "https://docs.x.ai/docs/api-reference",
    { content: "Yes.", reasoning_content: "Hm", refusal: null },
    { finish_reason: "end_turn" },
    { usage: { ...tokens, num_sources_used: 0 }, citations: null },
  ),
};
