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

/** Answers of gateways and hosts of many models. */
export const chatGateways: Readonly<Record<string, WrittenAnswer>> = {
  "hidden and summarized reasoning (OpenRouter)": chat(
    "openrouter",
    "https://openrouter.ai/docs/use-cases/reasoning-tokens",
    chunk({
      role: "assistant",
      content: "",
      reasoning: "**Plan**",
      reasoning_details: [{ type: "reasoning.summary", summary: "**Plan**", format: "openai-responses-v1", index: 0 }],
    }),
    chunk({
      content: "",
      reasoning: null,
      reasoning_details: [
        { type: "reasoning.encrypted", data: "gAAAAABo", id: "rs_1", format: "openai-responses-v1", index: 0 },
      ],
    }),
    chunk(called(0, "call_r", "look", '{"place":"here"}')),
    chunk({ content: "" }, { ...toolCalls, native_finish_reason: "completed" }),
    last({ ...tokens, cost: 0.01, cost_details: { upstream_inference_cost: null } }),
  ),
  "a file that was read before (OpenRouter)": whole(
    "openrouter",
    "https://openrouter.ai/docs/features/multimodal/pdfs",
    {
      content: "It says so.",
      refusal: null,
      annotations: [
        { type: "file", file: { hash: "abc123", name: "a.pdf", content: [{ type: "text", text: "page one" }] } },
      ],
    },
    { native_finish_reason: "STOP" },
  ),
  "an error behind the gateway (OpenRouter)": chat(
    "openrouter",
    "https://openrouter.ai/docs/api/reference/errors-and-debugging",
    chunk({ role: "assistant", content: "Half" }),
    chunk(
      { content: "" },
      { finish_reason: "error" },
      { error: { code: "server_error", message: "Provider disconnected unexpectedly" } },
    ),
  ),
  "sources with texts (Perplexity)": whole(
    "perplexity",
    "https://docs.perplexity.ai/api-reference/chat-completions-post",
    { content: "Paris [1][2]." },
    {},
    {
      citations: ["https://example.com/p", "https://example.com/q"],
      search_results: [
        { title: "P", url: "https://example.com/p", date: null },
        { title: "Q", url: "https://example.com/q", date: null },
      ],
      images: [{ image_url: "https://example.com/p.jpg", origin_url: "https://example.com/p", height: 10, width: 10 }],
      related_questions: ["And London?"],
    },
  ),
  "arguments that were parsed (Hugging Face)": whole(
    "huggingface",
    "https://huggingface.co/docs/text-generation-inference/reference/api_reference",
    { content: null, tool_calls: [call("0", { place: "here" }, { index: 0 })] },
    stop,
  ),
  "a call that is not a list (Hugging Face)": chat(
    "huggingface",
    "https://huggingface.co/docs/text-generation-inference/reference/api_reference",
    chunk({
      role: "assistant",
      tool_calls: { index: 0, id: "", type: "function", function: { name: "look", arguments: "{" } },
    }),
    chunk({
      role: "assistant",
      tool_calls: { index: 0, id: "", type: "function", function: { name: null, arguments: '"place":"here"}' } },
    }),
    chunk({ role: "assistant", content: "" }, { finish_reason: "eos_token" }, { usage: tokens }),
  ),
  "a text beside the delta (Together)": chat(
    "together",
    "https://docs.together.ai/reference/chat-completions-1",
    chunk({ token_id: 1, role: "assistant", content: "Yes" }, { text: "Yes", logprobs: null }),
    chunk(
      { token_id: 2, role: "assistant", content: "." },
      { text: ".", finish_reason: "eos", seed: 7 },
      { usage: tokens },
    ),
  ),
  "counts and speeds (Fireworks)": chat(
    "fireworks",
    "https://docs.fireworks.ai/api-reference/post-chatcompletions",
    chunk({ role: "assistant" }),
    chunk({ reasoning_content: "Hm" }),
    chunk({ content: "Yes." }),
    chunk({}, stop, {
      usage: { ...tokens, prompt_tokens_details: { cached_tokens: 2 } },
      perf_metrics: { "server-time": 1 },
    }),
  ),
  "a text and a picture as a list": whole(
    "openrouter",
    "https://openrouter.ai/docs/features/multimodal/image-generation",
    {
      content: [
        { type: "text", text: "Drawn." },
        { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
      ],
    },
  ),
  "an end without a last event (GitHub Models)": chat(
    "github",
    "https://docs.github.com/en/rest/models/inference",
    chunk({ role: "assistant", content: "" }, { content_filter_results: {} }),
    chunk({ content: "Yes." }),
    chunk({}, stop, { usage: tokens }),
  ),
  "metadata of the gateway (Vercel)": whole(
    "vercel",
    "https://vercel.com/docs/ai-gateway/sdks-and-apis/openai-chat-completions",
    {
      content: "Yes.",
      reasoning: "Hm",
      reasoning_details: [
        { type: "reasoning.text", text: "Hm", signature: "sigA", format: "anthropic-claude-v1", index: 0 },
      ],
      provider_metadata: { gateway: { cost: "0.001", generationId: "gen_1" } },
    },
  ),
};
