import type { SandboxPolicy } from "@bailiwick/core";

import type { FullSandboxPort } from "./sandbox-options.ts";
import { SandboxUnavailableError } from "./sandbox-errors.ts";

/**
 * Refuses every sandbox. Agents on platforms other than Node use it, because those have no sandboxes and do not need
 * the rest of this package.
 *
 * @throws SandboxUnavailableError `SANDBOX_UNAVAILABLE` from each of its methods.
 * @example
 * ```ts
 * import { noSandbox } from "@bailiwick/security/sandbox";
 * import { security } from "@bailiwick/security";
 *
 * export const ports = { ...security(), sandbox: noSandbox() };
 * ```
 */
export function noSandbox(): FullSandboxPort {
  return {
    resolve: ({ config }) => refuse(config.tier),
    execute: ({ config }) => refuse(config.tier),
    runProgram: () => refuse("wasm"),
    spawn: ({ config }) => refuse(config.tier),
  };
}

function refuse(tier: SandboxPolicy): Promise<never> {
  return Promise.reject(
    new SandboxUnavailableError(
      tier,
      "this platform is not Node",
      "Run on Node 22.20 or later, or pass createSandbox({ drivers }) to the agent.",
    ),
  );
}
