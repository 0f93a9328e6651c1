import type { ModuleEntry, SandboxConfig } from "../sandbox-config.ts";
import type { SandboxedToolContext } from "../tool-context.ts";
import type { SandboxPolicy, ToolTrustClass } from "../vocabularies.ts";

/** The author of a sandbox's configuration: third-party code cannot grant itself rights. */
export type SandboxWord = "tool" | "operator" | "agent" | "source";

/** A tool that is to be registered. */
export interface SandboxRegistration {
  /** Name of the tool. */
  readonly name: string;
  /** The origin of the tool's code. */
  readonly trustClass: ToolTrustClass;
  /** The code. */
  readonly entry: ModuleEntry;
  /** The sandbox that the tool asks for. */
  readonly policy: SandboxPolicy;
  /** Limits and rights of the sandbox. */
  readonly config: SandboxConfig;
  /** The author of `config`. */
  readonly saidBy: SandboxWord;
}

/** The result of a registration. */
export interface SandboxResolution {
  /** SHA-256 of the module, part of the tool's definition: a changed file is another tool. */
  readonly moduleHash: string;
  /** Rights of the request that were not granted, for the user. */
  readonly notes?: readonly string[] | undefined;
}

/** One call of a sandboxed tool. */
export interface SandboxCall {
  /** The code. */
  readonly entry: ModuleEntry;
  /** The origin of the tool's code. */
  readonly trustClass: ToolTrustClass;
  /** Limits and rights of the sandbox. */
  readonly config: SandboxConfig;
  /** The author of `config`. */
  readonly saidBy: SandboxWord;
  /** The hash of the registered module; a module that changed since then does not run. */
  readonly moduleHash: string;
  /** JSON. */
  readonly input: unknown;
  /** The parts of the call's context that the sandbox passes on. */
  readonly context: SandboxedToolContext;
  /** Kills the sandbox without a grace period. */
  readonly signal: AbortSignal;
  /** Time limit in milliseconds; `0` leaves the sandbox's own limit. */
  readonly timeoutMs: number;
}

/** A third-party program that lives longer than a call, such as an MCP server on stdio. */
export interface SpawnRequest {
  /** An absolute path, or a name that is searched for in the sandbox's `PATH`. */
  readonly command: string;
  /** Arguments of the program. Default: none. */
  readonly args?: readonly string[] | undefined;
  /** Absolute working directory; naming it does not grant access to it. */
  readonly cwd?: string | undefined;
  /** Limits and rights of the sandbox. */
  readonly config: SandboxConfig;
  /** The origin of the program. */
  readonly trustClass: ToolTrustClass;
  /** The author of `config`. */
  readonly saidBy: SandboxWord;
  /** Kills it. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Sends its requests to the granted hosts and inserts the secrets whose placeholders are in its environment. Default: the
   * global `fetch`, without secrets.
   */
  readonly fetch?: typeof fetch | undefined;
}

/** A limit of all processes of a sandbox together that was exceeded. */
export interface SandboxExcess {
  /** `temporary` is `/tmp`, `disk` the writable folders. */
  readonly kind: "memory" | "processes" | "temporary" | "disk";
  /** The limit: a number of processes, or a size in MiB. */
  readonly most: number;
}

/** Outcome of a program. */
export interface SandboxExit {
  /** Exit code; `null` if a signal ended the program. */
  readonly code: number | null;
  /** The signal that ended the program; `null` if none did. */
  readonly signal: string | null;
  /** The limit for which the sandbox was ended. */
  readonly limit?: SandboxExcess | undefined;
}

/** A program in a sandbox, with its standard streams. */
export interface SandboxedChild {
  /**
   * Resolves when the bytes were accepted; rejects once the program has ended.
   *
   * @param bytes - Bytes for the program's standard input.
   */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends its input. */
  closeInput(): void;
  /** The standard output; it can be read once. */
  readonly output: AsyncIterable<Uint8Array>;
  /** The standard error; it can be read once. Unread bytes beyond a limit are dropped, oldest first. */
  readonly errors: AsyncIterable<Uint8Array>;
  /** Settles exactly once, in every case; never rejects. */
  readonly exited: Promise<SandboxExit>;
  /** Ends the program and everything that it started; resolves with `exited`. */
  kill(): Promise<SandboxExit>;
}

/** A call of a program, and its outcome. */
export interface ProgramCall {
  /** Name of the tool. */
  readonly name: string;
  /** JSON. */
  readonly args: string;
  /** The output as JSON, or the error. */
  readonly result: { readonly ok: true; readonly json: string } | { readonly ok: false; readonly message: string };
}

/** A program that a model wrote. It has no files, network, clock or random numbers: it can only call tools. */
export interface ProgramRequest {
  /** The body of an async function, in JavaScript. It can use `tools` and `console`. */
  readonly source: string;
  /** Names of the tools that the program may call. */
  readonly tools: readonly string[];
  /** Earlier calls, step by step; the calls of one step ran in parallel. */
  readonly steps: readonly (readonly ProgramCall[])[];
  /** The program's constant time, in milliseconds since the epoch. */
  readonly now: number;
  /** The seed of its random numbers. */
  readonly seed: number;
  /** Time limit in milliseconds. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Memory limit in MiB. Default 256. */
  readonly maxMemoryMB?: number | undefined;
  /** Stops the program. */
  readonly signal?: AbortSignal | undefined;
}

/** State of a program: it waits for calls, or it has ended. */
export type ProgramState =
  | { readonly kind: "calls"; readonly calls: readonly { readonly name: string; readonly args: string }[] }
  | { readonly kind: "returned"; readonly json: string | undefined; readonly logs: readonly string[] }
  | { readonly kind: "threw"; readonly message: string; readonly logs: readonly string[] };

/** Runs sandboxed tools. */
export interface SandboxPort {
  /**
   * Chooses the sandbox of a tool at registration: the tier is available, it can enforce the configuration, and the
   * module can run in it.
   *
   * @param tool - The tool's module, and the sandbox that its author and the agent configured.
   * @throws SandboxUnavailableError with the reason and the fix.
   * @throws SandboxModuleRefusedError for a module that the tier cannot run.
   */
  resolve(tool: SandboxRegistration): Promise<SandboxResolution>;
  /**
   * Runs a module's export in its own sandbox and returns its JSON. The promise settles once, however the sandbox ends;
   * the output is untrusted.
   *
   * @param call - The module, its export, the arguments, and the rights and limits of the sandbox.
   * @throws SandboxUnavailableError, SandboxModuleChangedError, SandboxTimeoutError, SandboxMemoryExceededError,
   *   SandboxOutputExceededError, SandboxEndedError, SandboxSpawnFailedError, or a ToolError with the error that the
   *   code threw.
   */
  execute(call: SandboxCall): Promise<unknown>;
  /**
   * Starts a program that lives longer than a call.
   *
   * @throws SandboxUnavailableError, SandboxSpawnFailedError
   */
  readonly spawn?: ((request: SpawnRequest) => Promise<SandboxedChild>) | undefined;
  /**
   * Runs a program from its top, in its own wasm sandbox, until it waits for new calls or ends. The same request has
   * the same result in every process.
   *
   * @throws SandboxUnavailableError, SandboxTimeoutError, SandboxMemoryExceededError, SandboxOutputExceededError, SandboxEndedError
   */
  readonly runProgram?: ((request: ProgramRequest) => Promise<ProgramState>) | undefined;
}
