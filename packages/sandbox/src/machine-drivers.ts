import { BailiwickError } from "@bailiwick/core";
import type { ProgramRequest, ProgramState } from "@bailiwick/core";

import type { DrivenTier, SandboxDriver } from "./driver.ts";
import type { DoctorOptions } from "./doctor/doctor-options.ts";
import type { DoctorReport } from "./doctor/report.ts";
import { SandboxUnavailableError } from "./sandbox-errors.ts";

function unavailable(tier: DrivenTier, where: string): Promise<never> {
  return Promise.reject(
    new SandboxUnavailableError(tier, "this platform is not Node", `Run on Node 22.13 or later${where}.`),
  );
}

/** Where there is no Node, there are no threads for the interpreter that could be ended. */
export const wasmDriver = (): Promise<SandboxDriver> => unavailable("wasm", "");

/** Nor are there sandboxes of a machine. */
export const osDriver = (): Promise<SandboxDriver> => unavailable("os", ", on Linux");

/** On macOS, the same. */
export const macosDriver = (): Promise<SandboxDriver> => unavailable("os", ", on Linux");

/** For modules of one's own, the same. */
export const processDriver = (): Promise<SandboxDriver> => unavailable("process", "");

/** For programs of a model, the same. */
export const runProgram = (_request?: ProgramRequest): Promise<ProgramState> => unavailable("wasm", "");

/** Where there is no Node, there is nothing to measure. */
export function examine(_options?: DoctorOptions): Promise<DoctorReport> {
  return Promise.reject(
    new BailiwickError("NODE_ONLY", "doctor measures the sandboxes of Node. Use it on Node 22.13 or later."),
  );
}
