import type {
  SandboxedChild,
  ModuleEntry,
  SandboxCall,
  SandboxPolicy,
  SandboxResolution,
  SpawnRequest,
} from "@bailiwick/core";

import type { SandboxRights } from "./rights.ts";

/** The tiers that have a driver; `none` is the process itself. */
export type DrivenTier = Exclude<SandboxPolicy, "none">;

/**
 * Functions of the host that the code inside may call, by name: JSON in, JSON out. A rejection arrives as an error with
 * only its message. The driver counts the sent bytes as output of the call.
 */
export type HostCalls = Readonly<Record<string, (args: readonly unknown[]) => unknown>>;

/** The context of the call for the code inside; JSON, in addition to the input. */
export interface SandboxContext {
  /** Id of the call. */
  readonly toolCallId: string;
  /** Name of the tool. */
  readonly toolName: string;
  /** Id of the run. */
  readonly runId: string;
  /** Turn of the call, from 1. */
  readonly step: number;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Key of the call, if the tool has one. */
  readonly idempotencyKey?: string | undefined;
  /** `metadata` of the run's options, as JSON. */
  readonly metadata: unknown;
}

/** Limits of one call; each driver adds its own kinds. */
export interface SandboxLimits {
  /** Wall-clock time of the call in milliseconds, above 0, including the start of the sandbox. */
  readonly timeoutMs: number;
  /** Maximum memory of the sandbox, in mebibytes. */
  readonly memoryMB: number;
  /** Maximum number of output bytes, of the result and the host calls together. */
  readonly outputBytes: number;
  /** Maximum number of processes and threads. Default: the tier's. */
  readonly processes?: number | undefined;
  /** Maximum size of one written file, in mebibytes. Default: the tier's. */
  readonly fileMB?: number | undefined;
  /** Maximum size of `/tmp`, in mebibytes. Default: the tier's. */
  readonly temporaryMB?: number | undefined;
  /** Maximum size of the writable folders together, in mebibytes. Default: none. */
  readonly diskMB?: number | undefined;
}

/** One call with its granted rights: a driver grants exactly these. */
export interface SandboxJob {
  /** Module and export that contain the tool's code. */
  readonly entry: ModuleEntry;
  /** SHA-256 in hex of the module as registered; checked against the file when it runs. */
  readonly moduleHash: string;
  /** JSON. */
  readonly input: unknown;
  /** Facts about the call, for the code inside. */
  readonly context: SandboxContext;
  /** Functions of the host that code inside may call, by name. */
  readonly hostCalls: HostCalls;
  /** Network, files and environment that the code may use. */
  readonly rights: SandboxRights;
  /** Time, memory and output that the code may use. */
  readonly limits: SandboxLimits;
  /** Kills the sandbox at once. */
  readonly signal: AbortSignal;
}

/** The rights of a program that lives longer than a call. */
export interface SandboxedProgram extends Pick<SpawnRequest, "command" | "args" | "cwd" | "signal" | "fetch"> {
  /** Network, files and environment that the program may use. */
  readonly rights: SandboxRights;
  /** Memory, processes, files and disk that the program may use. */
  readonly limits: Omit<SandboxLimits, "timeoutMs" | "outputBytes">;
}

/**
 * One tier. Loaded on first use. A driver that cannot enforce a request throws `SandboxUnavailableError`, from `check`
 * if possible, else from `run`; it never enforces less.
 */
export interface SandboxDriver {
  /** Tier that the driver implements. */
  readonly tier: DrivenTier;
  /**
   * Tests if the tier is available on this machine and can enforce these rights and limits, by trying it; the result
   * may be cached.
   *
   * @param rights - Files, hosts and environment that the code may use.
   * @param limits - Largest time, memory and output.
   * @throws SandboxUnavailableError
   */
  check(rights: SandboxRights, limits: SandboxLimits): Promise<void>;
  /**
   * Reads, checks and hashes a module; if it has to run the module for this, the limits apply.
   *
   * @param entry - The module and its export.
   * @param limits - Largest time, memory and output while the module is read.
   * @throws SandboxModuleRefusedError where the tier cannot run it.
   */
  register(entry: ModuleEntry, limits: SandboxLimits): Promise<Pick<SandboxResolution, "moduleHash">>;
  /**
   * Runs one call in a fresh sandbox. Settles once, however the sandbox ends, and leaves nothing running.
   *
   * @param job - The module, the arguments, and the rights and limits of this call.
   * @throws any of the errors in `sandbox-errors.ts`; `codeFailure()` for an error of the code inside.
   */
  run(job: SandboxJob): Promise<unknown>;
  /** Runs only on machines that can run programs in the sandbox. */
  readonly spawn?: ((program: SandboxedProgram) => Promise<SandboxedChild>) | undefined;
}

/** Default limits; a result and the host calls before it share the bytes. */
export const defaultLimits: SandboxLimits = Object.freeze({
  timeoutMs: 30_000,
  memoryMB: 256,
  outputBytes: 8 * 1024 * 1024,
});

/** The part of a call's context that is copied into the sandbox. */
export function sandboxContext({ context }: Pick<SandboxCall, "context">): SandboxContext {
  const { toolCallId, toolName, runId, step, attempt, idempotencyKey, metadata } = context;
  return {
    toolCallId,
    toolName,
    runId,
    step,
    attempt,
    metadata,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
}
