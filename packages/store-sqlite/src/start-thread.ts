import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { MessageChannel, Worker, receiveMessageOnPort } from "node:worker_threads";
import { StoreError } from "@bailiwick/core/store";
import type { Opened, ThreadData } from "./thread/messages.ts";
import { toError } from "./thread/to-error.ts";
import { createLink } from "./thread/link.ts";
import { threadFlags } from "./thread/thread-flags.ts";
import type { ThreadLink } from "./thread/link.ts";

/** Time for a thread to start, in milliseconds. */
const longestStartMs = 30_000;
/** Time to open and migrate a file, in milliseconds. */
const longestOpeningMs = 600_000;

/** Address of this module; modules of a bundle in CommonJS have none. */
const here: string | undefined = import.meta.url;

/** The thread's program, beside this module in the sources and in the build. */
const program: URL | undefined =
  here === undefined
    ? undefined
    : new URL(here.endsWith(".ts") ? "./database.worker.ts" : "./database.worker.js", here);

/** False in a bundle that cannot find the thread's program. */
export const canStartThread: boolean = program !== undefined;

/** End of the error message when the store's thread exits. A store in memory is lost with it. */
const goesOn = "The next call starts another one; runs can be resumed.";
const isOver = "Open the store again; runs can be resumed then.";

/**
 * Opens a file in its own thread. Returns when it is open, so that the caller gets an error at once.
 *
 * @param options - The file, and the logger of warnings.
 * @throws StoreError
 */
export function startThread(
  options: Omit<ThreadData, "port" | "progress"> & { readonly warn: (text: string) => void },
): ThreadLink {
  const { warn, ...data } = options;
  const { name } = data;
  const { port1: port, port2 } = new MessageChannel();
  const progress = new Int32Array(new SharedArrayBuffer(8));
  const worker = start({ ...data, port: port2, progress });
  const opened = waitUntilOpen(progress) ? (receiveMessageOnPort(port)?.message as Opened | undefined) : undefined;
  if (opened === undefined || opened.failure !== undefined) {
    port.close();
    void worker.terminate();
    worker.unref();
    throw opened?.failure === undefined ? unavailable(name, noAnswer()) : toError(opened.failure, name);
  }
  for (const warning of opened.warnings) warn(warning);
  return createLink(worker, port, name, (answered) => (answered && data.path !== ":memory:" ? goesOn : isOver));
}

function start(data: ThreadData): Worker {
  if (program === undefined || !existsSync(program)) {
    throw unavailable(
      data.name,
      `there is no file "${program === undefined ? "database.worker.js" : fileURLToPath(program)}". Where an application is bundled into one file, leave @bailiwick/store-sqlite out of the bundle ("external") and install it beside it`,
    );
  }
  try {
    const worker = new Worker(program, {
      name: "bailiwick-sqlite",
      workerData: data,
      transferList: [data.port],
      ...threadFlags(process.execArgv, process.env),
    });
    worker.unref();
    return worker;
  } catch (error) {
    throw unavailable(data.name, error instanceof Error ? error.message : String(error), error);
  }
}

/**
 * The thread cannot report the reason while this one waits for it; most often, a flag of the process is not allowed in
 * a thread.
 */
function noAnswer(): string {
  const flags = [...process.execArgv, process.env["NODE_OPTIONS"] ?? ""].join(" ").trim();
  return `it did not answer within ${longestStartMs / 1_000} seconds${flags === "" ? "" : `. Start Node without flags that threads do not take; it has ${flags}`}`;
}

function waitUntilOpen(progress: Int32Array<SharedArrayBuffer>): boolean {
  return (
    Atomics.wait(progress, 0, 0, longestStartMs) !== "timed-out" &&
    Atomics.wait(progress, 1, 0, longestOpeningMs) !== "timed-out"
  );
}

function unavailable(name: string, reason: string, cause?: unknown): StoreError {
  return new StoreError(
    "STORE_THREAD_UNAVAILABLE",
    `The store "${name}" cannot be opened: the thread that it needs could not be started: ${reason}.`,
    { cause },
  );
}
