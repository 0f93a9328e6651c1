import type { MessagePort } from "node:worker_threads";
import type { Failure } from "./failure.ts";
import type { DatabaseService } from "./service.ts";

/** Name of a call. */
export type CallName = keyof DatabaseService;

/** One call; `close` ends the thread. */
export type Request = readonly [id: number, name: CallName | "close", args: readonly unknown[]];

/** The result of a call. */
export type Reply = readonly [id: number, value: unknown, failure?: Failure | undefined];

/** Options with which the thread is started. */
export interface ThreadData {
  readonly path: string;
  readonly processes: "one" | "many";
  readonly lockTimeoutMs: number;
  /** The store, for errors. */
  readonly name: string;
  /** Carries `Opened` first, then requests and replies. */
  readonly port: MessagePort;
  /** Two numbers, 0 at first: the thread runs (1); the file was opened, or could not be opened (1). */
  readonly progress: Int32Array<SharedArrayBuffer>;
}

/** The result of opening. */
export type Opened =
  | { readonly warnings: readonly string[]; readonly failure?: undefined }
  | { readonly failure: Failure };
