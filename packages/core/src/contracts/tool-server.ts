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
  /** The server cannot be reached, and its operator said that the agent may do without it. */
  readonly isAbsent?: boolean | undefined;
}

/** A server whose tools are known only once it is asked: an agent asks it before a run, and between the turns of one. */
export interface ToolServer {
  readonly source: ToolSource;
  /**
   * The tools that it has now. Connects where it has to; the same object as before when nothing changed.
   *
   * @throws BailiwickError when they cannot be had; a run does not begin without them.
   */
  serve(request: ToolServerRequest): ServedTools | Promise<ServedTools>;
}
