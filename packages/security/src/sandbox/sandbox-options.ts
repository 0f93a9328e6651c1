import type { SandboxPort } from "@bailiwick/core";

import type { DrivenTier, SandboxDriver } from "./driver.ts";

/** A sandbox that can also run programs. */
export type FullSandboxPort = SandboxPort & {
  readonly spawn: NonNullable<SandboxPort["spawn"]>;
  readonly runProgram: NonNullable<SandboxPort["runProgram"]>;
};

/** Options of a sandbox. */
export interface SandboxOptions {
  /** Your own drivers, such as one for `remote`; they replace the built-in ones. */
  readonly drivers?: Readonly<Partial<Record<DrivenTier, SandboxDriver>>> | undefined;
  /**
   * True to accept `sandbox-exec` as the tier `os` on macOS. Apple has deprecated it, and it only limits JavaScript's
   * memory. Without this option, the tier throws there. Default `false`.
   */
  readonly experimentalMacos?: boolean | undefined;
}
