import { compat, gptOss } from "../compat.ts";
import type { Compat } from "../server-record.ts";

/** Ollama's own API, according to its documentation (https://docs.ollama.com/api/chat). */
export const ollamaServer: Compat = {
  ...compat.ollama,
  baseURL: "http://127.0.0.1:11434",
  ignoredFields: undefined,
  // GIF is not one of the types that the server decodes.
  imageTypes: ["image/png", "image/jpeg", "image/webp"],
  // Chat templates that run under llama.cpp's server accept one system message.
  systemMessages: "one",
  thinkingSwitch: "thinking",
  models: [gptOss, { ids: /./, efforts: [] }],
  // Tools are never called together with a schema: the grammar only allows the answer.
  structuredOutput: "without-tools",
};
