import type { CompatName } from "./server-record.ts";

/** The vendor's page that the record of a server follows. In its own file, because no request needs it. */
export const compatPages: Readonly<Record<CompatName, string>> = {
  openai: "https://developers.openai.com/api/reference/resources/responses/methods/create",
  azure: "https://learn.microsoft.com/en-us/azure/ai-foundry/openai/reference-preview-latest",
  vllm: "https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html",
  sglang: "https://docs.sglang.ai/basic_usage/openai_api_completions.html",
  ollama: "https://docs.ollama.com/api/openai-compatibility",
  lmstudio: "https://lmstudio.ai/docs/developer/openai-compat",
  llamacpp: "https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md",
  groq: "https://console.groq.com/docs/structured-outputs",
  together: "https://docs.together.ai/docs/inference/openai-compatibility",
  gemini: "https://ai.google.dev/gemini-api/docs/openai",
  deepseek: "https://api-docs.deepseek.com/guides/thinking_mode",
  xai: "https://docs.x.ai/developers/model-capabilities/text/generate-text",
  mistral: "https://docs.mistral.ai/capabilities/function_calling",
  openrouter: "https://openrouter.ai/docs/api-reference/overview",
  vercel: "https://vercel.com/docs/ai-gateway/sdks-and-apis/openai-chat-completions",
  moonshot: "https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model",
  zai: "https://docs.z.ai/guides/capabilities/thinking-mode",
  minimax: "https://platform.minimax.io/docs/guides/text-m2-function-call",
  alibaba: "https://www.alibabacloud.com/help/en/model-studio/qwen-function-calling",
  cerebras: "https://inference-docs.cerebras.ai/resources/openai",
  fireworks: "https://docs.fireworks.ai/tools-sdks/openai-compatibility",
  perplexity: "https://docs.perplexity.ai/api-reference/chat-completions-post",
  huggingface: "https://huggingface.co/docs/inference-providers/tasks/chat-completion",
  github: "https://docs.github.com/en/rest/models/inference",
};
