import type { Warning } from "./model-response.ts";
import type { Hasher } from "./ports/hasher.ts";
import type { SandboxPort } from "./ports/sandbox.ts";
import type { Tool } from "./tool.ts";
import type { ToolSource } from "./vocabularies.ts";

/** The request of a run to a server of tools. */
export interface ToolServerRequest {
  /** Aborted when the run ends. */
  readonly signal: AbortSignal;
  /** The agent's SHA-256: pins are checked with it. */
  readonly hasher: Hasher;
  /** The sandbox in which the agent starts programs of other people. */
  readonly sandbox: SandboxPort | undefined;
  /** The tools of the server that the run has already, between two of its turns. The run then does not wait for an unreachable server. */
  readonly known?: ServedTools | undefined;
}

/** The tools of a server at a moment. */
export interface ServedTools {
  /** Marked with their source; the same objects until the server says that they changed. */
  readonly tools: readonly Tool[];
  readonly warnings: readonly Warning[];
  /** The server cannot be reached, and it is declared optional. */
  readonly isAbsent?: boolean | undefined;
}

/** A server whose tools are only known after a request: an agent asks it before a run, and between the turns of one. */
export interface ToolServer {
  /** The server that the tools come from. */
  readonly source: ToolSource;
  /**
   * The current tools. Connects if necessary; returns the same object while nothing changed.
   *
   * @throws BailiwickError if the tools cannot be listed; a run does not begin without them.
   */
  serve(request: ToolServerRequest): ServedTools | Promise<ServedTools>;
}
