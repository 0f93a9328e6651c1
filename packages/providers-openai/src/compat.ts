import type { Compat, CompatModel, CompatName } from "./server-record.ts";

const openai: Compat = {
  provider: "openai",
  apiKeyVariable: "OPENAI_API_KEY",
  keyHeader: "authorization",
  api: "responses",
  openaiModels: true,
  maxTokens: "max_completion_tokens",
  reasoning: "reasoning_effort",
  streamUsage: true,
  strictTools: true,
  parallelToolCalls: true,
  structuredOutput: "with-tools",
  promptCacheKey: true,
  images: true,
  jsonArguments: false,
  toolCallId: { maxLength: 40 },
};

/** Record of an unknown server. */
const plain: Compat = {
  ...openai,
  provider: "openai-compatible",
  apiKeyVariable: undefined,
  api: "chat",
  openaiModels: false,
  maxTokens: "max_tokens",
  reasoning: "none",
  strictTools: false,
  structuredOutput: "without-tools",
  promptCacheKey: false,
  jsonArguments: true,
};

const ollamaContext = "Use ollama() of @bailiwick/providers-openai/ollama.";

/** gpt-oss, wherever it runs: it always thinks. */
export const gptOss: CompatModel = {
  ids: /gpt-oss/,
  efforts: ["low", "medium", "high"],
  thinkingSwitch: false,
};

/** A server that renders the chat template of an open model: those of Qwen 3.5 and later accept one system message. */
const templated: Compat = { ...plain, systemMessages: "one", models: [gptOss] };

/** A gateway to the models of many vendors. */
const gateway: Compat = {
  ...plain,
  models: [{ ids: /^kimi-/, toolSchemas: "kimi" }],
  reasoning: "reasoning",
  echoReasoning: "reasoning_details",
};

/** A server whose models think before they call a tool, and get their thoughts back. */
const thinking: Compat = {
  ...plain,
  echoReasoning: "reasoning_content",
  thinkingSwitch: "thinking",
  forcedChoice: "without-thinking",
  parallelToolCalls: false,
  structuredOutput: "none",
};

/** The variable of the key of a server in the internet, unless its record says another one. */
function keyVariable(provider: string, { apiKeyVariable, baseURL }: Compat): string | undefined {
  return apiKeyVariable ?? (baseURL?.startsWith("https:") ? `${provider.toUpperCase()}_API_KEY` : undefined);
}

/** The records of the servers by their names, which are also the names of the providers. */
const records: Readonly<Record<CompatName, Compat>> = {
  openai,
  azure: {
    ...openai,
    apiKeyVariable: "AZURE_OPENAI_API_KEY",
    keyHeader: "api-key",
  },
  vllm: {
    ...templated,
    baseURL: "http://127.0.0.1:8000/v1",
    thinkingSwitch: "chat_template_kwargs",
  },
  sglang: {
    ...templated,
    baseURL: "http://127.0.0.1:30000/v1",
    thinkingSwitch: "chat_template_kwargs",
  },
  ollama: {
    ...plain,
    imageUrls: false,
    baseURL: "http://127.0.0.1:11434/v1",
    reasoning: "reasoning_effort",
    forcedChoice: "never",
    parallelToolCalls: false,
    // Only Ollama's own API accepts them: https://docs.ollama.com/api/openai-compatibility.
    ignoredFields: { num_ctx: ollamaContext, numCtx: ollamaContext, options: ollamaContext },
  },
  lmstudio: {
    ...templated,
    toolSchemas: "grammar",
    baseURL: "http://127.0.0.1:1234/v1",
    namedToolChoice: false,
    imageUrls: false,
    // WebP is refused with some engines: https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/1752.
    imageTypes: ["image/png", "image/jpeg"],
  },
  llamacpp: {
    ...templated,
    toolSchemas: "grammar",
    baseURL: "http://127.0.0.1:8080/v1",
    namedToolChoice: false,
    thinkingSwitch: "chat_template_kwargs",
  },
  groq: {
    ...plain,
    models: [
      { ...gptOss, images: false },
      { ids: /qwen3\.8/, efforts: ["none", "low", "medium", "high"] },
      // Groq accepts only `none` and `default`, which is the default, for Qwen 3: https://console.groq.com/docs/reasoning.
      { ids: /qwen3/, efforts: ["none"] },
      { ids: /llama-[34]\.?[123]?-|llama3/, efforts: [], structuredOutput: "none", images: false },
    ],
    baseURL: "https://api.groq.com/openai/v1",
    maxTokens: "max_completion_tokens",
    reasoning: "reasoning_effort",
  },
  together: {
    ...plain,
    models: [gptOss],
    baseURL: "https://api.together.xyz/v1",
  },
  // Gemini behind its OpenAI-compatible API; the adapter for Google's own API supports more.
  gemini: {
    ...plain,
    imageTypes: ["image/png", "image/jpeg", "image/webp"],
    baseURL: "https://generativelanguage.googleapis.com/v1beta/openai",
    reasoning: "reasoning_effort",
    parallelToolCalls: false,
    // Gemini 3 refuses calls without a signature; the vendor documents this value for calls of other models.
    foreignCall: { google: { thought_signature: "skip_thought_signature_validator" } },
  },
  deepseek: {
    ...thinking,
    models: [
      { ids: /v4-pro/, efforts: ["high", "max"] },
      { ids: /^deepseek-(flash|v4)/, efforts: ["low", "high", "max"] },
    ],
    baseURL: "https://api.deepseek.com/v1",
    images: false,
  },
  xai: {
    ...plain,
    // The vendor recommends this API: only it has searches, and reasoning that can be sent back.
    api: "responses",
    encryptedReasoning: true,
    // A search on X arrives as custom calls of names such as `x_keyword_search`.
    hostedCustomCalls: true,
    models: [
      { ids: /^grok-3-mini/, efforts: ["low", "high"] },
      { ids: /^grok-([23]|4(-|$)|4\.[12]|code)|non-reasoning/, efforts: [] },
      { ids: /^grok-4\.6/, efforts: ["none", "low", "medium", "high", "xhigh"] },
      { ids: /./, efforts: ["none", "low", "medium", "high"] },
    ],
    imageTypes: ["image/png", "image/jpeg"],
    baseURL: "https://api.x.ai/v1",
    maxTokens: "max_completion_tokens",
    reasoning: "reasoning_effort",
    structuredOutput: "with-tools",
  },
  mistral: {
    ...plain,
    userAfterTool: false,
    endsWithAnswer: false,
    // Mistral rejects a system message after an answer or a result.
    systemMessages: "first",
    baseURL: "https://api.mistral.ai/v1",
    streamUsage: false,
    reasoning: "reasoning_effort",
    models: [
      { ids: /^mistral-large-(4|latest)/, efforts: ["low", "medium", "high"] },
      { ids: /^mistral-(small|medium)-(26|3\.5|latest)|^magistral-medium-latest|leanstral/, efforts: ["none", "high"] },
      { ids: /stral-(\w+-)?25|^(code|dev|mini|pix|vox)stral|nemo/, efforts: [] },
    ],
    // Ids of exactly nine letters and digits.
    toolCallId: { pattern: /^[a-zA-Z0-9]{9}$/, maxLength: 9 },
  },
  openrouter: {
    ...gateway,
    baseURL: "https://openrouter.ai/api/v1",
  },
  // Vercel AI Gateway; ids begin with the vendor, such as `anthropic/claude-sonnet-4.6`.
  vercel: {
    ...gateway,
    baseURL: "https://ai-gateway.vercel.sh/v1",
    apiKeyVariable: "AI_GATEWAY_API_KEY",
  },
  moonshot: {
    ...thinking,
    toolSchemas: "kimi",
    baseURL: "https://api.moonshot.ai/v1",
    imageUrls: false,
  },
  zai: {
    ...thinking,
    reasoning: "reasoning_effort",
    keepsThinking: true,
    models: [
      { ids: /^glm-5\.2/, efforts: ["high", "max"] },
      { ids: /^glm-5\.3/, efforts: ["low", "high", "max"] },
      { ids: /^glm-(4|5-)/, efforts: [] },
    ],
    baseURL: "https://api.z.ai/api/paas/v4",
    forcedChoice: "never",
  },
  minimax: {
    ...plain,
    baseURL: "https://api.minimax.io/v1",
    echoReasoning: "reasoning_details",
    // "enabled" is refused: https://github.com/CherryHQ/cherry-studio/issues/16431.
    thinkingSwitch: "adaptive",
    models: [{ ids: /^minimax-m3/i, images: true }],
    // A second system message is refused: https://github.com/MiniMax-AI/MiniMax-M2/issues/51.
    systemMessages: "one",
    // Otherwise thinking is in the text, and cannot be distinguished from it.
    body: { reasoning_split: true },
    parallelToolCalls: false,
    structuredOutput: "none",
    images: false,
  },
  alibaba: {
    ...plain,
    baseURL: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    apiKeyVariable: "DASHSCOPE_API_KEY",
    thinkingSwitch: "enable_thinking",
    forcedChoice: "without-thinking",
    systemMessages: "one",
    structuredOutput: "none",
  },
  cerebras: {
    ...plain,
    baseURL: "https://api.cerebras.ai/v1",
    maxTokens: "max_completion_tokens",
    reasoning: "reasoning_effort",
    models: [
      gptOss,
      { ids: /^qwen-3\.8/, efforts: ["none", "low", "medium", "high"] },
      { ids: /^zai-glm/, efforts: ["none"] },
      { ids: /^llama/, efforts: [] },
    ],
    images: false,
  },
  fireworks: {
    ...plain,
    baseURL: "https://api.fireworks.ai/inference/v1",
    reasoning: "reasoning_effort",
    echoReasoning: "reasoning_content",
  },
  perplexity: {
    ...plain,
    baseURL: "https://api.perplexity.ai",
    tools: false,
    systemMessages: "one",
    alternates: true,
  },
  huggingface: {
    ...plain,
    models: [gptOss],
    baseURL: "https://router.huggingface.co/v1",
    apiKeyVariable: "HF_TOKEN",
  },
  github: {
    ...plain,
    models: [gptOss],
    baseURL: "https://models.github.ai/inference",
    apiKeyVariable: "GITHUB_TOKEN",
  },
};

/**
 * The known servers. Spread one and change a field for a server that differs.
 *
 * @example
 * ```ts
 * import { compat, openai } from "@bailiwick/providers-openai";
 *
 * const model = openai("my-model", {
 *   baseURL: "http://127.0.0.1:8000/v1",
 *   compat: { ...compat.vllm, provider: "our-gpu", reasoning: "reasoning_effort" },
 * });
 * console.log(model.provider); // "our-gpu"
 * ```
 */
export const compat = Object.fromEntries(
  Object.entries(records).map(([provider, record]) => [
    provider,
    { ...record, provider, apiKeyVariable: keyVariable(provider, record) },
  ]),
) as Readonly<Record<CompatName, Compat>>;
