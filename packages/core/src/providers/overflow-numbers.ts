/** The numbers in a vendor's sentence about a request that is too long. */
interface OverflowNumbers {
  readonly maximumTokens?: number;
  readonly actualTokens?: number;
}

const number = String.raw`(\d[\d,_]{0,14})`;

/** Vendors' words for the maximum, the surest first. */
const maximumTexts: readonly RegExp[] = [
  // Anthropic: "210000 tokens > 200000 maximum", "188240 + 21333 > 200000"
  new RegExp(String.raw`> ?${number}`),
  // OpenAI, vLLM, xAI, Mistral: "maximum context length is 8192 tokens", "maximum prompt length is 131072"
  new RegExp(String.raw`maximum (?:context|prompt|model|input) length (?:is|of) ${number}`, "i"),
  new RegExp(String.raw`${number} maximum context length`, "i"),
  // Google: "exceeds the maximum number of tokens allowed (1048576)"
  new RegExp(String.raw`maximum (?:number of )?(?:input )?tokens(?: allowed)?(?: is|:)? ?\(?${number}`, "i"),
  // llama.cpp, GitHub: "available context size (4096 tokens)", "exceeds the limit of 64000"
  new RegExp(String.raw`context (?:size|length|window)(?: \(| of | is |: ?)${number}`, "i"),
  new RegExp(String.raw`exceeds? the (?:model token )?limit(?: of|:)? ${number}`, "i"),
  // Alibaba: "Range of input length should be [1, 30720]"
  new RegExp(String.raw`input length should be \[\d+, ?${number}\]`, "i"),
  // Hugging Face: "`inputs` must have less than 1024 tokens", "must be <= 4096"
  new RegExp(String.raw`must (?:be <=|have less than) ${number}`, "i"),
];

/** Vendors' words for the input of the request. */
const actualTexts: readonly RegExp[] = [
  new RegExp(String.raw`${number} (?:in|of) the (?:messages|prompt|input)`, "i"),
  new RegExp(String.raw`(?:messages|prompt|input)(?: tokens)? resulted in ${number}`, "i"),
  new RegExp(String.raw`(?:input|prompt) token count (?:of )?\(?${number}`, "i"),
  new RegExp(String.raw`request (?:contains|has) ${number}`, "i"),
  new RegExp(String.raw`prompt contains (?:at least )?${number}`, "i"),
  new RegExp(String.raw`request \(${number} tokens`, "i"),
  new RegExp(String.raw`(?:too long: ?|exceed context limit: ?)${number}`, "i"),
  new RegExp(String.raw`given: ?${number}`, "i"),
  new RegExp(String.raw`you requested(?: about)? ${number}`, "i"),
];

/**
 * The maximum and the input tokens that a vendor names in an error about the length of a request. A number is left out
 * if the vendor's words for it are unknown.
 *
 * @param text - The vendor's sentence.
 */
export function overflowNumbers(text: string): OverflowNumbers {
  const maximum = numberAfter(text, maximumTexts);
  const actual = numberAfter(text, actualTexts);
  return {
    ...(maximum !== undefined && { maximumTokens: maximum }),
    ...(actual !== undefined && { actualTokens: actual }),
  };
}

function numberAfter(text: string, patterns: readonly RegExp[]): number | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(text)?.[1];
    if (found === undefined) continue;
    const value = Number(found.replaceAll(/[,_]/g, ""));
    if (value > 0) return value;
  }
  return undefined;
}
