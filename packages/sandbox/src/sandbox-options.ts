import type { SandboxPort } from "@bailiwick/core";

import type { DrivenTier, SandboxDriver } from "./driver.ts";

/** A sandbox that runs programs too. */
export type FullSandboxPort = SandboxPort & {
  readonly spawn: NonNullable<SandboxPort["spawn"]>;
  readonly runProgram: NonNullable<SandboxPort["runProgram"]>;
};

/** Options of a sandbox. */
export interface SandboxOptions {
  /** Drivers of your own, such as one for `remote`; they go before the framework's. */
  readonly drivers?: Readonly<Partial<Record<DrivenTier, SandboxDriver>>> | undefined;
  /**
   * True to accept `sandbox-exec` as the tier `os` on macOS. Apple calls it deprecated, and it limits only JavaScript's
   * memory. Without this option, the tier throws there. Default `false`.
   */
  readonly experimentalMacos?: boolean | undefined;
}
