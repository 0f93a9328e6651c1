import { BailiwickError } from "@bailiwick/core";
import type { ProgramRequest, ProgramState } from "@bailiwick/core";

import type { DrivenTier, SandboxDriver } from "./driver.ts";
import type { DoctorOptions } from "./doctor/doctor-options.ts";
import type { DoctorReport } from "./doctor/report.ts";
import { SandboxUnavailableError } from "./sandbox-errors.ts";

function unavailable(tier: DrivenTier, where: string): Promise<never> {
  return Promise.reject(
    new SandboxUnavailableError(tier, "this platform is not Node", `Run on Node 22.20 or later${where}.`),
  );
}

/** Without Node, there are no threads in which the interpreter could be stopped. */
export const wasmDriver = (): Promise<SandboxDriver> => unavailable("wasm", "");

/** The OS sandbox is not available on this platform. */
export const osDriver = (): Promise<SandboxDriver> => unavailable("os", ", on Linux");

/** On macOS, the same. */
export const macosDriver = (): Promise<SandboxDriver> => unavailable("os", ", on Linux");

/** The same for your own modules. */
export const processDriver = (): Promise<SandboxDriver> => unavailable("process", "");

/** The same for programs of a model. */
export const runProgram = (_request?: ProgramRequest): Promise<ProgramState> => unavailable("wasm", "");

/** Without Node there is nothing to measure. */
export function examine(_options?: DoctorOptions): Promise<DoctorReport> {
  return Promise.reject(
    new BailiwickError("NODE_ONLY", "doctor measures the sandboxes of Node. Use it on Node 22.20 or later."),
  );
}
