import type { PlatformPorts } from "@bailiwick/core";

/** Node's own `fetch` costs several times what a lean one does; it is loaded with the first run. */
export function platformPorts(): PlatformPorts {
  return {
    fetch: async () => {
      const { fetchNode } = await import("@bailiwick/fetch-node");
      return fetchNode();
    },
  };
}
