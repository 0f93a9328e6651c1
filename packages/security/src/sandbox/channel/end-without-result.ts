import type { BailiwickError } from "@bailiwick/core";

import type { SandboxLimits, DrivenTier } from "../driver.ts";
import { os } from "../node.ts";
import { SandboxEndedError, SandboxMemoryExceededError, SandboxTimeoutError } from "../sandbox-errors.ts";
import type { SandboxEnd } from "./sandbox-link.ts";

/** Messages of V8 and the C++ runtime when memory runs out. */
const outOfMemory =
  /out of memory|heap limit|bad_alloc|Allocation failed|Failed to (?:reserve|allocate)|Cannot allocate memory/iu;

/**
 * The error of a sandbox that ended before its call had a result.
 *
 * @param tier - Tier of the sandbox.
 * @param limits - Limits of the call.
 * @param end - The end of the sandbox. Its output is untrusted, and only selects an error.
 */
export function endWithoutResult(tier: DrivenTier, limits: SandboxLimits, end: SandboxEnd): BailiwickError {
  const signal = signalOf(end);
  if (signal === "SIGXCPU") return new SandboxTimeoutError(tier, limits.timeoutMs);
  if (end.code !== 0 && outOfMemory.test(end.lastWords)) return new SandboxMemoryExceededError(tier, limits.memoryMB);
  return new SandboxEndedError(tier, signal === undefined ? `it exited with code ${end.code}` : `${signal} ended it`);
}

/** A process that waits for another program reports a signal as 128 plus its number. */
function signalOf({ code, signal }: SandboxEnd): string | undefined {
  if (signal !== null) return signal;
  if (code === null || code <= 128) return undefined;
  return Object.entries(os.constants.signals).find(([, number]) => number === code - 128)?.[0];
}
