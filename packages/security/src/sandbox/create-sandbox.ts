import { lazyPart, checkKnownNames } from "@bailiwick/core/extension";

import type { FullSandboxPort, SandboxOptions } from "./sandbox-options.ts";

/**
 * Runs sandboxed tools: computes the rights of each, and passes them to the driver of its tier.
 *
 * @param options - Drivers for tiers without a built-in driver; default none.
 * @example
 * ```ts
 * import { createSandbox } from "@bailiwick/security/sandbox";
 * import { security } from "@bailiwick/security";
 *
 * export const ports = { ...security(), sandbox: createSandbox() };
 * ```
 */
export function createSandbox(options: SandboxOptions = {}): FullSandboxPort {
  checkKnownNames(options, ["drivers", "experimentalMacos"], "createSandbox()");
  const part = lazyPart("The sandbox", async () => {
    const { sandboxPort } = await import("./sandbox-port.ts");
    return sandboxPort(options);
  });
  return {
    resolve: async (tool) => part((port) => port.resolve(tool)),
    execute: async (call) => part((port) => port.execute(call)),
    runProgram: async (request) => part((port) => port.runProgram(request)),
    spawn: async (request) => part((port) => port.spawn(request)),
  };
}
