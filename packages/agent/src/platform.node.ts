import type { PlatformPorts } from "@bailiwick/core";
import { guardedFetch } from "@bailiwick/security/net";

/** Node's own `fetch` costs several times what a lean one does; it is loaded with the first run. */
export function platformPorts(): PlatformPorts {
  return {
    // Only here can a name be resolved and checked before a request.
    fetchPublic: guardedFetch(),
    fetch: async () => {
      const { fetchNode } = await import("@bailiwick/fetch-node");
      return fetchNode();
    },
  };
}
