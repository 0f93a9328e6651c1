import { BailiwickError } from "@bailiwick/core";

import type { SandboxDriver } from "./sandbox/driver.ts";
import type { DoctorReport } from "./sandbox/doctor/report.ts";
import { SandboxUnavailable } from "./sandbox/sandbox-errors.ts";

function unavailable(tier: "os" | "process"): SandboxDriver {
  throw new SandboxUnavailable(tier, "this platform is not Node", "Run on Node 22.13 or later, on Linux.");
}

/** Where there is no Node, there are no sandboxes of a machine. */
export const osDriver = (): SandboxDriver => unavailable("os");

/** On macOS, the same. */
export const macosDriver = (): SandboxDriver => unavailable("os");

/** For modules of one's own, the same. */
export const processDriver = (): SandboxDriver => unavailable("process");

/** Where there is no Node, there is nothing to measure. */
export function examine(): Promise<DoctorReport> {
  return Promise.reject(
    new BailiwickError("NODE_ONLY", "doctor measures the sandboxes of Node. Use it on Node 22.13 or later."),
  );
}
