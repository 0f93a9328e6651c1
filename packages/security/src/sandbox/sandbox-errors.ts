import { BailiwickError, ToolError } from "@bailiwick/core";
import type { SandboxPolicy } from "@bailiwick/core";

/** The machine or the tier cannot enforce a protection. The code did not run. */
export class SandboxUnavailableError extends BailiwickError {
  /** The required tier. */
  readonly tier: SandboxPolicy;
  /** The reason why it is not available. */
  readonly reason: string;
  /** Remedy: the package to install, or the setting to change. */
  readonly fix: string;

  /**
   * @param tier - The requested tier.
   * @param reason - Why it is not available, as a clause.
   * @param fix - What to do, as a sentence.
   * @param options - `cause` is the error behind this one.
   */
  constructor(tier: SandboxPolicy, reason: string, fix: string, options?: { readonly cause?: unknown }) {
    super("SANDBOX_UNAVAILABLE", `The "${tier}" sandbox is not available: ${reason}. ${fix}`, options);
    this.tier = tier;
    this.reason = reason;
    this.fix = fix;
  }
}

/** The sandbox could not be started, though the tier is available. The code did not run. */
export class SandboxSpawnFailedError extends BailiwickError {
  /** Error of the system. */
  readonly reason: string;

  /**
   * @param tier - The sandbox that could not start.
   * @param reason - The error of the system, as a sentence.
   * @param options - `cause` is the error behind this one.
   */
  constructor(tier: SandboxPolicy, reason: string, options?: { readonly cause?: unknown }) {
    super("SANDBOX_SPAWN_FAILED", `A "${tier}" sandbox could not be started: ${reason}. Nothing has run.`, options);
    this.reason = reason;
  }
}

/** A module that its tier cannot run. */
export class SandboxModuleRefusedError extends BailiwickError {
  /**
   * @param module - Address of the module.
   * @param reason - The part of the module that the sandbox does not allow.
   * @param options - `cause` is the error behind this one.
   */
  constructor(module: URL, reason: string, options?: { readonly cause?: unknown }) {
    super("SANDBOX_MODULE_REFUSED", `${module.href} cannot run in its sandbox: ${reason}`, options);
  }
}

/** The module on disk differs from the registered one; it did not run. */
export class SandboxModuleChangedError extends BailiwickError {
  /**
   * @param module - Address of the module.
   */
  constructor(module: URL) {
    super(
      "SANDBOX_MODULE_CHANGED",
      `${module.href} has changed since its tool was registered, so it was not run. Make the agent again, and approve the tool as it is now.`,
    );
  }
}

/** Killed: it took longer than its limit. */
export class SandboxTimeoutError extends BailiwickError {
  /**
   * @param tier - The sandbox that was ended.
   * @param timeoutMs - The limit, in milliseconds.
   */
  constructor(tier: SandboxPolicy, timeoutMs: number) {
    super("SANDBOX_TIMEOUT", `The "${tier}" sandbox did not finish within ${timeoutMs} ms and was killed.`);
  }
}

/** Killed, or died, because it needed more memory than its limit. */
export class SandboxMemoryExceededError extends BailiwickError {
  /**
   * @param tier - The sandbox that was ended.
   * @param memoryMB - The limit, in megabytes.
   */
  constructor(tier: SandboxPolicy, memoryMB: number) {
    super(
      "SANDBOX_MEMORY_EXCEEDED",
      `The code in the "${tier}" sandbox needed more than its ${memoryMB} MiB of memory and was ended. Raise maxMemoryMB, or let it work on less at once.`,
    );
  }
}

/** The sandbox was killed because its output was larger than the limit. */
export class SandboxOutputExceededError extends BailiwickError {
  /**
   * @param tier - The sandbox that was ended.
   * @param outputBytes - The limit, in bytes.
   */
  constructor(tier: SandboxPolicy, outputBytes: number) {
    super(
      "SANDBOX_OUTPUT_EXCEEDED",
      `More than ${outputBytes} bytes came out of the "${tier}" sandbox, and it was ended. Let it return less.`,
    );
  }
}

/** The code ended before it returned a result: an exit, a signal, a promise that never settles, a broken frame. */
export class SandboxEndedError extends BailiwickError {
  /**
   * @param tier - The sandbox that ended.
   * @param how - As a clause, such as `it exited with code 0` or `SIGSEGV ended it`.
   * @param options - `cause` is the error behind this one.
   */
  constructor(tier: SandboxPolicy, how: string, options?: { readonly cause?: unknown }) {
    super("SANDBOX_ENDED", `The "${tier}" sandbox ended without a result: ${how}.`, options);
  }
}

/** The error that the code inside threw, in the form that crosses the boundary. */
export interface CodeError {
  /** Class name of the error, such as `TypeError`. */
  readonly name?: string | undefined;
  /** Text of the error, as the code threw it. */
  readonly message: string;
}

/** Size limit of an error's text that leaves a sandbox for the model and the logs, in bytes. */
const longestMessage = 4_000;

/**
 * Returns the error of the code inside as an error of its tool; its text is untrusted like any other output.
 *
 * @param error - Name, message and stack of the error, as the sandbox reported them.
 */
export function codeFailure(error: CodeError): ToolError {
  const name = error.name === undefined || error.name === "Error" ? "" : `${error.name}: `;
  return new ToolError(`${name}${error.message}`.slice(0, longestMessage));
}
