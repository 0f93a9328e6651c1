import { ConfigurationError, type SecurityPorts } from "@bailiwick/core";
import { security } from "@bailiwick/security";

import { platformSandbox } from "#platform";

/**
 * The ports that enforce authority, made anew for each agent, so that two agents share no state.
 *
 * @throws ConfigurationError `INVALID_OPTION` for a value that cannot be a port: the agent would run without the protection.
 */
export function securityPorts(own: SecurityPorts = {}): SecurityPorts {
  const given = Object.entries(own).filter(([, port]) => port !== undefined);
  for (const [name, port] of given)
    if (Object(port) !== port)
      throw new ConfigurationError(
        "INVALID_OPTION",
        `The port "${name}" is not an object or a function. Leave it out.`,
      );
  return { ...security(), sandbox: platformSandbox(), ...Object.fromEntries(given) };
}
