import { checkKnownNames, ConfigurationError } from "@bailiwick/core";
import { lazyPart } from "@bailiwick/core/extension";
import type { GuardedFetchOptions } from "./guarded-fetch-options.ts";
import { hostEntryProblem } from "./host-list.ts";

/** Checks addresses. Loaded with the first request, because a program may offer a guarded `fetch` and never use it. */
const sending = lazyPart("The guard of requests", () => import("./public-fetch.ts"));

/**
 * Makes a `fetch` for URLs from sources that are not trusted: only http and https, only public addresses. The name is
 * resolved once, checked, and the connection is made to that very address; each redirect is checked the same way.
 *
 * @param options - Additional allowed hosts, and the server that names the addresses.
 * @throws ConfigurationError `INVALID_HOST` for an entry of `allowHosts` that can match no host, `UNKNOWN_OPTION` for
 *   another name.
 * @throws EgressDeniedError `EGRESS_DENIED`, and PartUnavailableError `PART_UNAVAILABLE`, before anything is sent.
 *
 * @example
 * ```ts
 * import { guardedFetch } from "@bailiwick/security";
 *
 * const fetchPublic = guardedFetch();
 * await fetchPublic("http://169.254.169.254/latest").catch((error: Error) => console.log(error.message));
 * ```
 */
export function guardedFetch(options: GuardedFetchOptions = {}): typeof fetch {
  checkKnownNames(options, ["allowHosts", "maxRedirects", "namedBy", "fetch"], "guardedFetch()");
  for (const host of options.allowHosts ?? []) {
    const problem = hostEntryProblem(host);
    if (problem !== undefined)
      throw new ConfigurationError("INVALID_HOST", `allowHosts of guardedFetch(): ${JSON.stringify(host)} ${problem}.`);
  }
  return async (input, init) => sending((part) => part.publicFetch(options)(input, init));
}
