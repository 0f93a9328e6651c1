import type { SecurityPorts } from "@bailiwick/core";
import { security } from "@bailiwick/security";

/** What the security package supplies to every agent: each agent gets its own, so that two share nothing by accident. */
export function securityPorts(): SecurityPorts {
  return security();
}
