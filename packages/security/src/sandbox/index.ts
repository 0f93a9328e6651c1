/**
 * Sandbox tiers: a tool's code, a stdio server or a program runs in one, with only the granted rights.
 *
 * @module
 */
export { createSandbox } from "./create-sandbox.ts";
export { noSandbox } from "./no-sandbox.ts";
export type { FullSandboxPort, SandboxOptions } from "./sandbox-options.ts";
export type {
  SandboxContext,
  SandboxedProgram,
  SandboxJob,
  SandboxLimits,
  DrivenTier,
  HostCalls,
  SandboxDriver,
} from "./driver.ts";
export { doctor } from "./doctor/doctor.ts";
export type { DoctorOptions } from "./doctor/doctor-options.ts";
export type { ExaminedAgent } from "./doctor/configuration-gaps.ts";
export type { ConfigurationGap, DoctorReport, ProbeReport, TierReport } from "./doctor/report.ts";
export { remoteDriver, remoteRunner } from "./remote/remote-driver.ts";
export type { RemoteSandbox, RemotePlace, RemoteRequest } from "./remote/remote-driver.ts";
export type { SandboxRights, FileRight, NetworkRight } from "./rights.ts";
export * from "./sandbox-errors.ts";
