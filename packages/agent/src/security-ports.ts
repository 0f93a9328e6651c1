import type { SecurityPorts } from "@bailiwick/core";

/** What the security package supplies to every agent. */
export function securityPorts(): SecurityPorts {
  return {};
}
