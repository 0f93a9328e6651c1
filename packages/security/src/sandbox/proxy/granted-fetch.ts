import { egressFetch } from "../../net/index.ts";
import { fetchOver } from "../../net/index.ts";
import { EgressDeniedError } from "../../net/index.ts";
import { hostIsListed } from "../../net/index.ts";
import { publicFetch } from "../../net/index.ts";
import type { NetworkRight } from "../rights.ts";

/** Addresses and names of this machine: a grant that lists one allows it, although it is not public. */
const local = /^(?:localhost|[\d.]+|\[[\da-f:.]+\])(?::\d+)?$/iu;

/** Listed hosts that are allowed although they are not public. */
export function meantThoughLocal(hosts: readonly string[]): readonly string[] {
  return hosts.filter((host) => local.test(host));
}

/**
 * The `fetch` of a sandbox: only to granted hosts, at their public addresses, for each redirect too, with the secrets
 * of its call.
 *
 * @param network - The granted hosts.
 * @param own - The call's `fetch`.
 * @throws EgressDeniedError for any other host; nothing was sent.
 */
export function grantedFetch(network: NetworkRight, own: typeof fetch): typeof fetch {
  if (network === "all") return own;
  if (network === "none") {
    return (input) =>
      Promise.reject(
        new EgressDeniedError(
          new URL(input instanceof Request ? input.url : input).origin,
          "this sandbox has no network; name the host in the tool's allowNetwork",
        ),
      );
  }
  const guarded = publicFetch({ allowHosts: meantThoughLocal(network) });
  const listedOnly =
    (send: typeof fetch): typeof fetch =>
    (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      if (hostIsListed(url, network)) return send(input, init);
      return Promise.reject(
        new EgressDeniedError(
          url.origin,
          `its host is not among those that this sandbox may reach: ${network.join(", ")}`,
        ),
      );
    };
  // Redirects are followed here, hop by hop, so that each one is checked.
  const careful = egressFetch([], listedOnly(guarded));
  const each: typeof fetch = (input, init) =>
    init?.redirect === "manual" ? listedOnly(guarded)(input, init) : careful(input, init);
  return fetchOver(own, each) ?? egressFetch([], listedOnly(own));
}
