import type { PlatformPorts } from "@bailiwick/core";

/** Edge workers and browsers have a `fetch` that cannot be bettered. */
export function platformPorts(): PlatformPorts {
  return {};
}
