import { ConfigurationError } from "@bailiwick/core/provider";
import { compat as compatByName } from "./compat.ts";
import type { Compat } from "./server-record.ts";

/**
 * The record of a server that is known by name.
 *
 * @param name - Such as `groq`.
 * @throws ConfigurationError `UNKNOWN_COMPAT`
 */
export function compatNamed(name: string): Compat {
  if (Object.hasOwn(compatByName, name)) return compatByName[name as keyof typeof compatByName];
  throw new ConfigurationError(
    "UNKNOWN_COMPAT",
    `"${name}" is not a known server: use one of ${Object.keys(compatByName).join(", ")}, or give a record.`,
  );
}
