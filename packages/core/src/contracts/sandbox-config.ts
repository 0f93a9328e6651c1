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

/** A folder or file of the host that a sandbox has at another path. */
export interface SandboxMount {
  /** Absolute path on the host. */
  readonly source: string;
  /** Absolute path inside, outside the folders of the system. */
  readonly target: string;
  /** True if it may only be read. Default `false`. */
  readonly readOnly?: boolean | undefined;
}

/** Access to the network: hosts, and a loopback network of the sandbox itself. */
export interface NetworkAccess {
  /** Hosts that may be reached. Default: none. */
  readonly hosts?: readonly string[] | undefined;
  /**
   * True if the code may open ports on a loopback network inside the sandbox, which leads nowhere else. Default `false`.
   */
  readonly loopback?: boolean | undefined;
}

/** Access to files: paths that may be read, and paths that may be written. */
export interface FileAccess {
  /** Paths that may be read. Default: none. */
  readonly readOnly?: readonly string[] | undefined;
  /** Paths that may be read and written. Default: none. */
  readonly readWrite?: readonly string[] | undefined;
  /** Folders and files that have another path inside. Default: none. */
  readonly mounts?: readonly SandboxMount[] | undefined;
}

/** An OS or remote sandbox. Nothing is granted unless named. */
export interface IsolatedSandboxConfig extends SandboxBase {
  /** `os`: a sandbox of the operating system. `remote`: a sandbox on another machine. */
  readonly tier: "os" | "remote";
  /** Hosts that may be reached, or `{ hosts, loopback }`; `true` only with `acknowledgeUnrestricted`. Default `false`. */
  readonly allowNetwork?: boolean | readonly string[] | NetworkAccess | undefined;
  /** Paths that may be used; `true` only with `acknowledgeUnrestricted`. Default `false`. */
  readonly allowFS?: boolean | FileAccess | undefined;
  /** Permits `true` for `allowNetwork` and `allowFS`. Default `false`. */
  readonly acknowledgeUnrestricted?: boolean | undefined;
  /** Environment of the process. Default: none of this process's variables. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Maximum number of processes and threads. Default: 64 for a tool's module, 128 for a program. */
  readonly maxProcesses?: number | undefined;
  /** Maximum size of one file that is written, in MiB. Default 64. */
  readonly maxFileMB?: number | undefined;
  /** Maximum size of `/tmp`, which is memory, in MiB. Default: 64 for a tool's module, 256 for a program. */
  readonly maxTemporaryMB?: number | undefined;
  /** Maximum size of the writable folders together, in MiB; each file counts as 4 KiB or more. Default: no limit. */
  readonly maxDiskMB?: number | undefined;
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
