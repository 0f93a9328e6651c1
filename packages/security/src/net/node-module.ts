import { BailiwickError } from "@bailiwick/core";

interface NodeProcess {
  readonly getBuiltinModule?: (name: string) => unknown;
}

/**
 * Loads a module of Node without an import statement, so that bundles for browsers can be built.
 *
 * @param name - Such as `node:fs/promises`.
 * @param what - The part that needs it, for the error.
 * @throws BailiwickError `NODE_ONLY` where the platform does not have it.
 */
export function nodeModule<Module>(name: string, what: string): Module {
  const { process } = globalThis as { readonly process?: NodeProcess };
  const found = process?.getBuiltinModule?.(name);
  if (found === undefined) {
    throw new BailiwickError(
      "NODE_ONLY",
      `${what} needs ${name}, which this platform does not have. Use it on Node 22.20 or later.`,
    );
  }
  return found as Module;
}
