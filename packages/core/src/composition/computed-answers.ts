import type { ModelCapabilities } from "../contracts/model-provider.ts";
import type { TokenUsage } from "../contracts/token-usage.ts";

/** What an answer that is computed here uses. */
export const noUsage: TokenUsage = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };

/** What computes answers in this process takes whatever there is: what is private stays here. */
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
