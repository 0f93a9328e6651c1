import type { TokenUsage } from "../contracts/token-usage.ts";

/**
 * Bounds of the correction. A lower count is not trusted, because some servers leave out what their cache served; a much
 * higher one is not of this request.
 */
const smallest = 1;
const largest = 8;
/** In a smaller request, what the vendor adds itself decides about the ratio. */
const smallestMeasured = 200;

/**
 * The number of tokens that a vendor counted for each estimated one; `undefined` if the usage does not show it.
 *
 * @param estimated - Estimated tokens of the request.
 */
export function measuredRatio(
  estimated: number | undefined,
  { inputTokens, vendorRequests = 1 }: Pick<TokenUsage, "inputTokens" | "vendorRequests">,
): number | undefined {
  // Several requests of a vendor's own tool loop add up their input.
  if (estimated === undefined || estimated < smallestMeasured || vendorRequests > 1) return undefined;
  return inputTokens > 0 && Number.isFinite(inputTokens) ? boundedRatio(inputTokens / estimated) : undefined;
}

/** The ratio within its bounds. */
export function boundedRatio(ratio: number): number {
  return Math.min(largest, Math.max(smallest, ratio));
}
