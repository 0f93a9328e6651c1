import type { DrivenTier } from "../driver.ts";
import type { SandboxOptions } from "../sandbox-options.ts";
import type { ExaminedAgent } from "./configuration-gaps.ts";

/** Options of `doctor`. */
export interface DoctorOptions {
  /** Options of an agent, to report their gaps. */
  readonly agent?: ExaminedAgent | undefined;
  /** Tiers that are measured; default `wasm`, `process`, `os`, and `remote` if there is a driver for it. */
  readonly tiers?: readonly DrivenTier[] | undefined;
  /** Your own drivers. */
  readonly sandbox?: SandboxOptions | undefined;
}
