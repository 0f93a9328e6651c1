interface SandboxBase {
  /** `false` lowers to the minimum of the trust class, no further. Default `true`. */
  readonly enabled?: boolean | undefined;
  /** Execution time limit in milliseconds; default 30,000. */
  readonly timeout?: number | undefined;
  /** Memory limit in MiB; default 256. */
  readonly maxMemoryMB?: number | undefined;
}

/** QuickJS in WebAssembly: no file, network, environment or process. */
export interface WasmSandboxConfig extends SandboxBase {
  /** Always `wasm`. */
  readonly tier: "wasm";
}

/**
 * A child process with limits, for first-party modules. It restricts neither network nor files, and its config states
 * that.
 */
export interface ProcessSandboxConfig extends SandboxBase {
  /** Always `process`. */
  readonly tier: "process";
  /** Always `true`: this tier cannot stop network access. */
  readonly allowNetwork: true;
  /** Always `true`: this tier cannot stop access to files. */
  readonly allowFS: true;
  /** Environment of the process. Default: none of this process's variables. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Access to files: paths that may be read, and paths that may be written. */
export interface FileAccess {
  /** Paths that may be read. Default: none. */
  readonly readOnly?: readonly string[] | undefined;
  /** Paths that may be read and written. Default: none. */
  readonly readWrite?: readonly string[] | undefined;
}

/** An OS or remote sandbox. Nothing is granted unless named. */
export interface IsolatedSandboxConfig extends SandboxBase {
  /** `os`: a sandbox of the operating system. `remote`: a sandbox on another machine. */
  readonly tier: "os" | "remote";
  /** Hosts that may be reached; `true` only with `acknowledgeUnrestricted`. Default `false`. */
  readonly allowNetwork?: boolean | readonly string[] | undefined;
  /** Paths that may be used; `true` only with `acknowledgeUnrestricted`. Default `false`. */
  readonly allowFS?: boolean | FileAccess | undefined;
  /** Permits `true` for `allowNetwork` and `allowFS`. Default `false`. */
  readonly acknowledgeUnrestricted?: boolean | undefined;
  /** Environment of the process. Default: none of this process's variables. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** `wasm` runs the module on machines without the `os` tier. Only with tier `os` and without rights. */
  readonly fallback?: "wasm" | undefined;
}

/**
 * Limits and rights without a tier: the first of `os` and `wasm` that enforces them runs the module; if none does, the
 * call fails with `SANDBOX_UNAVAILABLE`.
 */
export interface TierlessSandboxConfig extends Omit<IsolatedSandboxConfig, "tier" | "fallback"> {
  /** Always absent. */
  readonly tier?: undefined;
}

/** No isolation: first-party code in this process. */
export interface NoSandboxConfig extends SandboxBase {
  /** Always `none`. */
  readonly tier: "none";
}

/** Limits and rights of a sandbox, by tier. */
export type SandboxConfig = NoSandboxConfig | WasmSandboxConfig | ProcessSandboxConfig | IsolatedSandboxConfig;

/** The code of a sandboxed tool: an absolute `file:` URL to JavaScript, and the export that is called. */
export interface ModuleEntry {
  /** Absolute `file:` URL of the JavaScript module. */
  readonly module: URL;
  /** Name of the exported function. */
  readonly export: string;
}
