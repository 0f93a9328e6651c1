import { noSandbox } from "@bailiwick/security/sandbox";
import type { PlatformPorts } from "@bailiwick/core";

/** Edge workers and browsers have a `fetch` that needs no replacement. */
export function platformPorts(): PlatformPorts {
  return {};
}

/** Edge workers and browsers have no sandboxes. */
export const platformSandbox: typeof noSandbox = noSandbox;
