import type { ChatServer } from "./chat-server.ts";
import type { ChatReasoningField } from "./wire.ts";

/** Options of a {@link ModelServer}. */
export interface ModelServerOptions {
  /** Refuses the requests that vendors refuse, with their status and text. Default: true. */
  readonly strict?: boolean | undefined;
  /** The server whose rules requests to Chat Completions must follow. Default: `openai`. */
  readonly server?: ChatServer | undefined;
  /** Ids of refusals that are not applied; see {@link refusals}. */
  readonly allow?: readonly string[] | undefined;
  /** Keys that are valid. Default: any key, but one must be sent. */
  readonly keys?: readonly string[] | undefined;
  /** Models that exist. Default: any. */
  readonly models?: readonly string[] | undefined;
  /** Reasoning in Chat Completions. Default: `hidden`, as OpenAI does. */
  readonly chatReasoning?: ChatReasoningField | undefined;
  /** Number of newest requests to keep in `requests`, for servers that run long. Default: all. */
  readonly keepRequests?: number | undefined;
  /** TCP port. Default: 0, a free one. */
  readonly port?: number | undefined;
  /** Seed of the generated ids: the same seed gives the same ids. Default: 1. */
  readonly seed?: number | undefined;
  /** Milliseconds since the epoch, for the answers' time stamps. Default: the wall clock. */
  readonly now?: (() => number) | undefined;
}

/** The compiler checks that every option is listed here: an unlisted one would be refused as unknown. */
const names: { readonly [Name in keyof Required<ModelServerOptions>]: true } = {
  strict: true,
  server: true,
  allow: true,
  keys: true,
  models: true,
  chatReasoning: true,
  keepRequests: true,
  port: true,
  seed: true,
  now: true,
};

/** Names of the options of a model server. */
export const optionNames: readonly string[] = Object.keys(names);
