import { createSandbox } from "@bailiwick/security/sandbox";
import type { PlatformPorts } from "@bailiwick/core";

/** Node's own `fetch` costs several times what a lean one does; it is loaded with the first request. */
export function platformPorts(): PlatformPorts {
  return {
    // Names can be resolved and checked before a request only on Node.
    download: async (url, signal) => {
      const { downloadFile } = await import("@bailiwick/security/net");
      return downloadFile(url, { signal });
    },
    fetch: async () => {
      const { fetchNode } = await import("@bailiwick/fetch-node");
      return fetchNode();
    },
  };
}

/** The sandboxes of this machine. */
export const platformSandbox: typeof createSandbox = createSandbox;
