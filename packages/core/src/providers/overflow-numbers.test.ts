import { expect, test } from "vitest";
import { apiError } from "./api-error.ts";

/** Vendors' sentences, with the maximum and the input tokens that they name. */
const sentences: readonly (readonly [string, number | undefined, number | undefined])[] = [
  ["prompt is too long: 208310 tokens > 200000 maximum", 200_000, 208_310],
  ["input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000", 200_000, 188_240],
  [
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 141230 tokens.",
    128_000,
    141_230,
  ],
  [
    "This model's maximum context length is 8,192 tokens. However, you requested 10,192 tokens (8,168 in the messages, 2,024 in the completion).",
    8_192,
    8_168,
  ],
  ["The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", 1_048_576, 1_200_000],
  ["This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 131_072, 537_812],
  [
    "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    32_768,
    40_000,
  ],
  ["the request exceeds the available context size (4096 tokens), try increasing it", 4_096, undefined],
  ["request (5213 tokens) exceeds the available context size (4096 tokens), try increasing it", 4_096, 5_213],
  ["prompt token count of 70123 exceeds the limit of 64000", 64_000, 70_123],
  ["Range of input length should be [1, 30720]", 30_720, undefined],
  [
    "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 20 `max_new_tokens`",
    4_096,
    5_000,
  ],
  [
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
    undefined,
    undefined,
  ],
];

test.each(sentences)(
  "the numbers of %j are the error's [providers.rule.overflow.numbers]",
  (message, maximum, actual) => {
    const error = apiError({ provider: "p", model: "gpt-4-1106", status: 400, message });
    expect(error).toMatchObject({ code: "CONTEXT_OVERFLOW" });
    expect(error).toHaveProperty("maximumTokens", maximum);
    expect(error).toHaveProperty("actualTokens", actual);
  },
);
