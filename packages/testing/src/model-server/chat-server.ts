/** Servers that speak Chat Completions, each with its own rules. */
export const chatServers = [
  "openai",
  "vllm",
  "sglang",
  "ollama",
  "lmstudio",
  "llamacpp",
  "groq",
  "together",
  "gemini",
  "deepseek",
  "xai",
  "mistral",
  "openrouter",
  "vercel",
  "moonshot",
  "zai",
  "minimax",
  "alibaba",
  "cerebras",
  "fireworks",
  "perplexity",
  "huggingface",
  "github",
] as const;

/** Name of a server whose rules for Chat Completions a model server follows. */
export type ChatServer = (typeof chatServers)[number];
