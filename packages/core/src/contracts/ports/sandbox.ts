import type { ModuleEntry, SandboxConfig } from "../sandbox-config.ts";
import type { SandboxedToolContext } from "../tool-context.ts";
import type { SandboxPolicy, ToolTrustClass } from "../vocabularies.ts";

/** Whose word a sandbox's configuration is; code of others grants itself nothing. */
export type SandboxWord = "tool" | "operator" | "agent" | "source";

/** A tool that is to be registered. */
export interface SandboxRegistration {
  readonly name: string;
  readonly trustClass: ToolTrustClass;
  readonly entry: ModuleEntry;
  readonly policy: SandboxPolicy;
  readonly config: SandboxConfig;
  /** Whose word `config` is. */
  readonly saidBy: SandboxWord;
}

/** What became of a registration. */
export interface SandboxResolution {
  /** SHA-256 of the module, part of the tool's definition: a changed file is another tool. */
  readonly moduleHash: string;
  /** What of the request was not granted, for the user. */
  readonly notes?: readonly string[] | undefined;
}

/** One call of a sandboxed tool. */
export interface SandboxCall {
  readonly entry: ModuleEntry;
  readonly trustClass: ToolTrustClass;
  readonly config: SandboxConfig;
  /** Whose word `config` is. */
  readonly saidBy: SandboxWord;
  /** What was registered; a module that has changed since is not run. */
  readonly moduleHash: string;
  /** JSON. */
  readonly input: unknown;
  readonly context: SandboxedToolContext;
  /** Kills the sandbox; there is no grace. */
  readonly signal: AbortSignal;
  /** In milliseconds; `0` leaves the sandbox's own limit. */
  readonly timeoutMs: number;
}

/** A program of others that lives longer than a call, such as an MCP server on stdio. */
export interface SpawnRequest {
  /** An absolute path, or a name that is found in the sandbox's `PATH`. */
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Absolute working directory; it is not granted by being named. */
  readonly cwd?: string | undefined;
  readonly config: SandboxConfig;
  readonly trustClass: ToolTrustClass;
  readonly saidBy: SandboxWord;
  /** Kills it. */
  readonly signal?: AbortSignal | undefined;
  /**
   * What its requests to named hosts are sent by, with the secrets whose markers stand in its environment; default the
   * global one, without secrets.
   */
  readonly fetch?: typeof fetch | undefined;
}

/** How a program ended. */
export interface BoxedExit {
  /** `null` when a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
}

/** A program in a sandbox, with its standard streams. */
export interface BoxedChild {
  /** Resolves when the bytes were taken; rejects once the program has ended. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends its input. */
  closeInput(): void;
  /** What it prints; one reader. */
  readonly output: AsyncIterable<Uint8Array>;
  /** What it says of errors; one reader. Unread bytes beyond a bound are dropped, oldest first. */
  readonly errors: AsyncIterable<Uint8Array>;
  /** Settles exactly once, however it ended; never rejects. */
  readonly exited: Promise<BoxedExit>;
  /** Ends it and all it has started; resolves with `exited`. */
  kill(): Promise<BoxedExit>;
}

/** Runs sandboxed tools. */
export interface SandboxPort {
  /**
   * Decides at registration what a tool runs in: the tier is there, it can enforce what the configuration says, and the
   * module can run in it.
   *
   * @throws SandboxUnavailable with the reason and the fix.
   * @throws SandboxModuleRefused for a module that the tier cannot run.
   */
  resolve(tool: SandboxRegistration): Promise<SandboxResolution>;
  /**
   * Runs a module's export in a sandbox of its own and gives its JSON. However the sandbox ends, the promise settles once;
   * what comes out of it is untrusted.
   *
   * @throws SandboxUnavailable, SandboxModuleChanged, SandboxTimeout, SandboxMemoryExceeded, SandboxOutputExceeded,
   *   SandboxEnded, SandboxSpawnFailed, or a ToolError with what the code inside threw.
   */
  execute(call: SandboxCall): Promise<unknown>;
  /**
   * Starts a program that lives longer than a call.
   *
   * @throws SandboxUnavailable, SandboxSpawnFailed
   */
  readonly spawn?: ((request: SpawnRequest) => Promise<BoxedChild>) | undefined;
}
