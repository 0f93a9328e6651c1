import type { ChatReasoningField } from "./wire.ts";

/** How a {@link ModelServer} behaves. */
export interface ModelServerOptions {
  /** Refuse what the vendors refuse, with their status and words. Default: true. */
  readonly strict?: boolean | undefined;
  /** Ids of refusals that are let through all the same; see {@link refusals}. */
  readonly allow?: readonly string[] | undefined;
  /** Keys that are valid. Default: any key, but one must be sent. */
  readonly keys?: readonly string[] | undefined;
  /** Models that exist. Default: any. */
  readonly models?: readonly string[] | undefined;
  /** How Chat Completions shows reasoning. Default: `hidden`, as OpenAI does. */
  readonly chatReasoning?: ChatReasoningField | undefined;
  /** How many of the last requests `requests` holds, for servers that run long. Default: all. */
  readonly keepRequests?: number | undefined;
  /** TCP port. Default: 0, a free one. */
  readonly port?: number | undefined;
  /** Start value of the generated ids: the same gives the same. Default: 1. */
  readonly seed?: number | undefined;
  /** Milliseconds since the epoch, for the answers' time stamps. Default: the wall clock. */
  readonly now?: (() => number) | undefined;
}
