import { chunk, tokens, last, called, chat, whole } from "./chat-events.fixture.ts";
import type { WrittenAnswer } from "./written-answer.fixture.ts";

/** Answers as the pages of servers that speak Chat Completions show them. */
export const chatsAnswers: Readonly<Record<string, WrittenAnswer>> = {
  "thinking, then a call (DeepSeek)": chat(
    "deepseek",
    "https://api-docs.deepseek.com/guides/thinking_mode",
    chunk({ role: "assistant", content: null, reasoning_content: "" }),
    chunk({ content: null, reasoning_content: "Look" }),
    chunk({ content: null, reasoning_content: " there." }),
    chunk(called(0, "call_00_a", "look", "")),
    chunk(called(0, undefined, undefined, '{"place":')),
    chunk(called(0, undefined, undefined, '"here"}')),
    chunk(
      { content: "", reasoning_content: null },
      { finish_reason: "tool_calls" },
      {
        usage: {
          ...tokens,
          prompt_cache_hit_tokens: 8,
          prompt_cache_miss_tokens: 11,
          completion_tokens_details: { reasoning_tokens: 4 },
        },
      },
    ),
  ),
  "thinking in the content (Mistral)": chat(
    "mistral",
    "https://docs.mistral.ai/capabilities/reasoning",
    chunk({ role: "assistant", content: "" }),
    chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm" }] }] }),
    chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: "." }], closed: true }] }),
    chunk({ content: "Yes" }),
    chunk({ content: "." }, { finish_reason: "stop" }, { usage: tokens }),
  ),
  "references in the content (Mistral)": whole("mistral", "https://docs.mistral.ai/capabilities/citations", {
    content: [
      { type: "text", text: "The peace prize" },
      { type: "reference", reference_ids: [0, 1] },
      { type: "text", text: " was given." },
    ],
  }),
  "reasoning and tools of the server (Groq)": whole(
    "groq",
    "https://console.groq.com/docs/compound",
    {
      content: "It is warm.",
      reasoning: "<tool>search(weather)</tool>",
      executed_tools: [
        {
          index: 0,
          type: "search",
          arguments: '{"query": "weather"}',
          output: "Title: W\nURL: https://example.com/w",
          search_results: { results: [{ title: "W", url: "https://example.com/w", content: "warm", score: 0.9 }] },
        },
      ],
    },
    {},
    { usage: { ...tokens, queue_time: 0.1, prompt_time: 0.1 }, x_groq: { id: "req_1" } },
  ),
  "usage beside the vendor's own id (Groq)": chat(
    "groq",
    "https://console.groq.com/docs/text-chat",
    chunk({ role: "assistant", content: "" }, {}, { x_groq: { id: "req_1" } }),
    chunk({ content: "Hi" }),
    chunk({}, { finish_reason: "stop" }, { x_groq: { id: "req_1", usage: tokens } }),
  ),
  "signed reasoning and a picture (OpenRouter)": chat(
    "openrouter",
    "https://openrouter.ai/docs/use-cases/reasoning-tokens",
    chunk({
      role: "assistant",
      content: "",
      reasoning: "Hm",
      reasoning_details: [{ type: "reasoning.text", text: "Hm", format: "anthropic-claude-v1", index: 0 }],
    }),
    chunk({
      content: "",
      reasoning: null,
      reasoning_details: [{ type: "reasoning.text", signature: "sig", format: "anthropic-claude-v1", index: 0 }],
    }),
    chunk({
      content: "Here.",
      images: [{ type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } }],
    }),
    chunk({ content: "" }, { finish_reason: "stop", native_finish_reason: "end_turn" }),
    last({ ...tokens, cost: 0.001, is_byok: false, prompt_tokens_details: { cached_tokens: 3 } }),
  ),
  "pages that were searched (OpenRouter)": whole("openrouter", "https://openrouter.ai/docs/features/web-search", {
    content: "News.",
    annotations: [
      {
        type: "url_citation",
        url_citation: { url: "https://example.com/a", title: "A", content: "c", start_index: 0, end_index: 4 },
      },
    ],
  }),
  "sources (xAI)": chat(
    "xai",
    "https://docs.x.ai/docs/guides/live-search",
    chunk({ role: "assistant", content: "", reasoning_content: "Hm" }),
    chunk({ content: "News." }, { finish_reason: "stop" }),
    last(
      { ...tokens, num_sources_used: 1, completion_tokens_details: { reasoning_tokens: 2 } },
      { citations: ["https://example.com/x"] },
    ),
  ),
  "a call whose pieces have empty ids (Qwen)": chat(
    "alibaba",
    "https://www.alibabacloud.com/help/en/model-studio/qwen-function-calling",
    chunk({ role: "assistant", content: null, reasoning_content: "Hm" }),
    chunk({ ...called(0, "call_q", "look", ""), content: null, reasoning_content: null }),
    chunk({
      tool_calls: [{ index: 0, id: "", type: "function", function: { arguments: '{"place":' } }],
      content: null,
    }),
    chunk({ tool_calls: [{ index: 0, id: "", type: "function", function: { arguments: '"here"}' } }], content: null }),
    chunk({ content: "" }, { finish_reason: "tool_calls" }),
    last(),
  ),
  "usage in the choice (Kimi)": chat(
    "moonshot",
    "https://platform.moonshot.ai/docs/api/chat",
    chunk({ role: "assistant", content: "" }),
    chunk({ reasoning_content: "Hm" }),
    chunk({ content: "Yes." }),
    chunk({}, { finish_reason: "stop", usage: { ...tokens, cached_tokens: 4 } }),
  ),
  "sources and whole messages beside the pieces (Perplexity)": chat(
    "perplexity",
    "https://docs.perplexity.ai/guides/streaming-responses",
    ...["Paris", " it", " is."].map((piece, index, all) =>
      chunk(
        { role: "assistant", content: piece },
        {
          message: { role: "assistant", content: all.slice(0, index + 1).join("") },
          ...(index === 2 ? { finish_reason: "stop" } : {}),
        },
        {
          object: index === 2 ? "chat.completion.done" : "chat.completion.chunk",
          usage: { ...tokens, search_context_size: "low", cost: { total_cost: 0.006 } },
          citations: ["https://example.com/p"],
          search_results: [{ title: "P", url: "https://example.com/p", date: "2025-01-01", snippet: "s" }],
        },
      ),
    ),
  ),
  "a failure of the model (Z.ai)": whole(
    "zai",
    "https://docs.z.ai/api-reference/llm/chat-completion",
    { content: "Half of" },
    { finish_reason: "network_error" },
  ),
  "pages that were searched (Z.ai)": whole(
    "zai",
    "https://docs.z.ai/guides/tools/web-search",
    { content: "News.", reasoning_content: "Hm" },
    {},
    { web_search: [{ title: "Z", link: "https://example.com/z", content: "c", refer: "ref_1" }] },
  ),
  "split reasoning (MiniMax)": chat(
    "minimax",
    "https://platform.minimax.io/docs/api-reference/text-openai-api",
    chunk({
      role: "assistant",
      content: "",
      reasoning_details: [{ type: "reasoning.text", id: "r1", format: "MiniMax-response-v1", index: 0, text: "Hm" }],
    }),
    chunk({ content: "Yes." }),
    chunk({ content: "" }, { finish_reason: "stop" }, { usage: tokens, base_resp: { status_code: 0, status_msg: "" } }),
  ),
  "an answer that the filter refused (Azure)": chat(
    "azure",
    "https://learn.microsoft.com/en-us/azure/ai-foundry/openai/concepts/content-streaming",
    {
      id: "",
      object: "",
      created: 0,
      model: "",
      choices: [],
      prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }],
    },
    chunk({ role: "assistant", content: "Half" }),
    {
      ...chunk({}),
      choices: [
        { index: 0, finish_reason: null, content_filter_offsets: { check_offset: 4 }, content_filter_results: {} },
      ],
    },
    chunk({}, { finish_reason: "content_filter" }),
    last(),
  ),
  speech: whole("openai", "https://developers.openai.com/api/docs/guides/audio", {
    content: null,
    audio: { id: "audio_1", data: "UklGRg==", expires_at: 1, transcript: "Hello." },
  }),
  "a refusal in pieces": chat(
    "openai",
    "https://developers.openai.com/api/docs/guides/structured-outputs",
    chunk({ role: "assistant", content: "", refusal: null }),
    chunk({ refusal: "I can" }),
    chunk({ refusal: "'t." }, { finish_reason: "stop" }),
    last(),
  ),
  "a call in one piece that ends as an answer (Ollama)": chat(
    "ollama",
    "https://docs.ollama.com/capabilities/tool-calling",
    chunk({ role: "assistant", content: "", reasoning: "Hm" }),
    chunk({
      role: "assistant",
      content: "",
      tool_calls: [
        { id: "call_o", index: 0, type: "function", function: { name: "look", arguments: '{"place":"here"}' } },
      ],
    }),
    chunk({ role: "assistant", content: "" }, { finish_reason: "tool_calls" }),
    last(),
  ),
  "timings (llama.cpp)": chat(
    "llamacpp",
    "https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md",
    chunk({ role: "assistant", content: null }),
    chunk({ reasoning_content: "Hm" }),
    chunk({ content: "Yes." }),
    chunk({}, { finish_reason: "stop" }),
    last(tokens, { timings: { prompt_n: 19, predicted_n: 21 } }),
  ),
  "a stop word and token ids (vLLM)": whole(
    "vllm",
    "https://docs.vllm.ai/en/latest/features/reasoning_outputs.html",
    { content: "Yes.", reasoning: "Hm", reasoning_content: "Hm", tool_calls: [], refusal: null, function_call: null },
    { stop_reason: 151645, token_ids: null },
    { prompt_logprobs: null, kv_transfer_params: null },
  ),
};
