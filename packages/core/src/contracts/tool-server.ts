import type { Warning } from "./model-response.ts";
import type { Hasher } from "./ports/hasher.ts";
import type { SandboxPort } from "./ports/sandbox.ts";
import type { Tool } from "./tool.ts";
import type { ToolSource } from "./vocabularies.ts";

/** A run's request to a server of tools. */
export interface ToolServerRequest {
  /** Aborted when the run ends. */
  readonly signal: AbortSignal;
  /** The agent's SHA-256: pins are checked with it. */
  readonly hasher: Hasher;
  /** The sandbox in which the agent starts third-party programs. */
  readonly sandbox: SandboxPort | undefined;
  /**
   * The tools of the server that the run already has, between two of its turns. If given, the run does not wait for an
   * unreachable server.
   */
  readonly known?: ServedTools | undefined;
}

/** The tools of a server at one time. */
export interface ServedTools {
  /** Marked with their source; the same objects until the server reports a change. */
  readonly tools: readonly Tool[];
  /** Problems with the server's definitions, for the operator. */
  readonly warnings: readonly Warning[];
  /** The server cannot be reached, and is declared optional. */
  readonly isAbsent?: boolean | undefined;
}

/** A server whose tools are only known after a request: an agent requests them before a run, and between its turns. */
export interface ToolServer {
  /** The server that the tools come from. */
  readonly source: ToolSource;
  /**
   * The current tools. Connects if necessary; returns the same object until something changes.
   *
   * @param request - The run that needs the tools, with its owner and signal.
   * @throws BailiwickError if the tools cannot be listed; a run does not begin without them.
   */
  serve(request: ToolServerRequest): ServedTools | Promise<ServedTools>;
}
