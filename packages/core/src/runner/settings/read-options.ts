import { BailiwickError } from "../../errors/bailiwick-error.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";

/**
 * Reads options with `read`. An option that throws when it is read, such as a Proxy or a getter, is refused by name.
 *
 * @param where - The agent or run, for the message.
 * @throws ConfigurationError `INVALID_OPTION`
 */
export function readOptions<Result>(options: object, where: string, read: () => Result): Result {
  try {
    return read();
  } catch (thrown) {
    if (BailiwickError.isInstance(thrown)) throw thrown;
    const name = Object.entries(options).find(([, value]) => !isReadable(value))?.[0];
    if (name === undefined) throw thrown;
    throw new ConfigurationError("INVALID_OPTION", `${where}: ${name} throws when it is read.`, { cause: thrown });
  }
}

function isReadable(value: unknown): boolean {
  try {
    void (value as { readonly name?: unknown } | null | undefined)?.name;
    return Object.values(value ?? {}).length >= 0;
  } catch {
    return false;
  }
}
