import type { SandboxCall } from "@bailiwick/core";

import { unchangedModule } from "./read-module.ts";
import { SandboxModuleRefusedError } from "./sandbox-errors.ts";

/**
 * Calls a module's export in this process, without a sandbox: for your own code. It has all rights of the process.
 *
 * @throws SandboxModuleChangedError, SandboxModuleRefusedError, and the errors of the code.
 */
export async function callInProcess({ entry, moduleHash, input, context }: SandboxCall): Promise<unknown> {
  await unchangedModule(entry, moduleHash);
  const loaded = (await import(/* @vite-ignore */ entry.module.href)) as Readonly<Record<string, unknown>>;
  const exported = loaded[entry.export];
  if (typeof exported !== "function") {
    throw new SandboxModuleRefusedError(
      entry.module,
      `its export "${entry.export}" is not a function but ${typeof exported}.`,
    );
  }
  return (exported as (input: unknown, context: unknown) => unknown)(input, context);
}
