/** The version of the API that the SDK requests, and the one before it, which still accepts sampling settings. */
const apiVersions = { newest: "2026-10-21", sampling: "2023-06-01" } as const;

/**
 * The version that requests with sampling settings need: `undefined` if the settings can be sent unchanged, `"none"`
 * if they cannot be sent.
 */
export type SamplingVersion = typeof apiVersions.sampling | "none" | undefined;

/**
 * Ways in which sampling settings can be sent.
 *
 * @param given - The version that the user chose for every request.
 * @param firstParty - True for the vendor's own API; other platforms count their own versions.
 */
export function samplingVersion(given: string | undefined, firstParty: boolean): SamplingVersion {
  if (given !== undefined) return given === apiVersions.newest ? "none" : undefined;
  return firstParty ? apiVersions.sampling : "none";
}
