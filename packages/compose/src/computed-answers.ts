import type { ModelCapabilities, TokenUsage } from "@bailiwick/core";

/** Usage of an answer that no model computed. */
export const noUsage: TokenUsage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

/** Capabilities of functions that compute answers in this process: private values do not leave it. */
export const takesEverything: ModelCapabilities = {
  input: { image: true, audio: true, file: true },
  toolResultMedia: "native",
  toolCallId: {},
  toolName: { pattern: /^[\s\S]+$/, maxLength: 128 },
  replaysReasoning: false,
  systemAnywhere: true,
  structuredOutput: "with-tools",
  accepts: "secret",
};
