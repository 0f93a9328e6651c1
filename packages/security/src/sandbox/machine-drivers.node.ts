/** Sandboxes of a machine with Node, each loaded on first use; bundles for other platforms do not contain them. */
import type { ProgramRequest, ProgramState } from "@bailiwick/core";

import type { DoctorOptions } from "./doctor/doctor-options.ts";
import type { DoctorReport } from "./doctor/report.ts";
import type { SandboxDriver } from "./driver.ts";

/** JavaScript in an interpreter. */
export async function wasmDriver(): Promise<SandboxDriver> {
  return (await import("./wasm/wasm-driver.ts")).wasmDriver;
}

/** A separate process, for your own modules. */
export async function processDriver(): Promise<SandboxDriver> {
  return (await import("./process/process-driver.ts")).processDriver();
}

/** The driver for Linux. */
export async function osDriver(): Promise<SandboxDriver> {
  return (await import("./os/os-driver.ts")).osDriver();
}

/** The driver for macOS. */
export async function macosDriver(): Promise<SandboxDriver> {
  return (await import("./os/macos/macos-driver.ts")).macosDriver();
}

/** Runs a program that a model wrote. */
export async function runProgram(request: ProgramRequest): Promise<ProgramState> {
  return (await import("./wasm/run-program.ts")).runProgram(request);
}

/** Measures the sandboxes of the machine. */
export async function examine(options: DoctorOptions): Promise<DoctorReport> {
  return (await import("./doctor/examine.ts")).examine(options);
}
