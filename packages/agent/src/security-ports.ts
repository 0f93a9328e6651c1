import type { SecurityPorts } from "@bailiwick/core";
import { security } from "@bailiwick/security";

import { platformSandbox } from "#platform";

/** The ports that enforce authority, created for each agent, so that two agents share no state. */
export function securityPorts(own: SecurityPorts = {}): SecurityPorts {
  const given = Object.entries(own).filter(([, port]) => port !== undefined);
  return { ...security(), sandbox: platformSandbox(), ...Object.fromEntries(given) };
}
