interface SandboxBase {
  /** `false` lowers to the trust class's minimum, no further. Default `true`. */
  readonly enabled?: boolean | undefined;
  /** Execution time limit in milliseconds; default 30,000. */
  readonly timeout?: number | undefined;
  /** Memory limit in MiB; default 256. */
  readonly maxMemoryMB?: number | undefined;
}

/** QuickJS in WebAssembly: no file, network, environment or process. */
export interface WasmSandboxConfig extends SandboxBase {
  readonly tier: "wasm";
}

/** A child process with limits, for first-party modules; it stops neither network nor files, and its config says so. */
export interface ProcessSandboxConfig extends SandboxBase {
  readonly tier: "process";
  readonly allowNetwork: true;
  readonly allowFS: true;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Access to files: paths that may be read, and paths that may be written. */
export interface FileAccess {
  readonly readOnly?: readonly string[] | undefined;
  readonly readWrite?: readonly string[] | undefined;
}

/** An OS or remote sandbox. Nothing is granted unless named. */
export interface IsolatedSandboxConfig extends SandboxBase {
  readonly tier: "os" | "remote";
  /** Hosts that may be reached; `true` only with `acknowledgeUnrestricted`. Default `false`. */
  readonly allowNetwork?: boolean | readonly string[] | undefined;
  /** Paths that may be used; `true` only with `acknowledgeUnrestricted`. Default `false`. */
  readonly allowFS?: boolean | FileAccess | undefined;
  readonly acknowledgeUnrestricted?: boolean | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** `wasm` runs the module on machines without the `os` tier. Only with tier `os` and no rights. */
  readonly fallback?: "wasm" | undefined;
}

/**
 * Limits and rights without a tier: the first of `os` and `wasm` that enforces them runs the module, else the call fails
 * with `SANDBOX_UNAVAILABLE`.
 */
export interface TierlessSandboxConfig extends Omit<IsolatedSandboxConfig, "tier" | "fallback"> {
  readonly tier?: undefined;
}

/** No isolation: first-party code in this process. */
export interface NoSandboxConfig extends SandboxBase {
  readonly tier: "none";
}

/** Limits and rights of a sandbox, by tier. */
export type SandboxConfig = NoSandboxConfig | WasmSandboxConfig | ProcessSandboxConfig | IsolatedSandboxConfig;

/** The code of a sandboxed tool: an absolute `file:` URL to JavaScript, and the export that is called. */
export interface ModuleEntry {
  readonly module: URL;
  readonly export: string;
}
