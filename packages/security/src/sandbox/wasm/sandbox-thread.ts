import type * as FileSystem from "node:fs";
import type * as WorkerThreads from "node:worker_threads";

import { nodeModule } from "../../net/index.ts";
import { frameNonce } from "../frames.ts";
import { SandboxEndedError, SandboxSpawnFailedError, SandboxUnavailableError } from "../sandbox-errors.ts";
import type { SandboxBounds, SandboxOutcome, SandboxTask, FromSandbox, ToSandbox } from "./messages.ts";

/** A thread that does one task at a time. */
export interface SandboxThread {
  /**
   * Runs a task in it.
   *
   * @param onTell - Told what the code inside says while it runs.
   * @throws SandboxSpawnFailedError, SandboxEndedError if the thread ends first.
   */
  run(task: SandboxTask, bounds: SandboxBounds, onTell: (name: string, args: string) => void): Promise<SandboxOutcome>;
  /** Ends the thread, also in the middle of a task: the task rejects. */
  kill(): void;
}

/** Stack size of the thread, larger than the interpreter's limit. */
const stackSizeMb = 16;

/**
 * Starts a thread.
 *
 * @param interpreter - The compiled interpreter.
 * @throws SandboxUnavailableError if there are no threads.
 */
export function startThread(interpreter: object): SandboxThread {
  const { Worker } = threads();
  const worker = new Worker(program(), {
    name: "bailiwick-sandbox",
    workerData: interpreter,
    // The interpreters of this thread cannot reach the host.
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { stackSizeMb },
  });
  worker.unref();
  let isReady = false;
  let current: { readonly nonce: string; settle(outcome: SandboxOutcome): void; fail(error: Error): void } | undefined;
  let onTelling: ((name: string, args: string) => void) | undefined;
  let ended: Error | undefined;

  const end = (error: Error): void => {
    ended ??= error;
    current?.fail(ended);
  };
  worker.on("message", (message: FromSandbox) => {
    isReady = true;
    // Late messages of an ended task are dropped.
    if (message.nonce !== current?.nonce) return;
    if (message.kind === "settled") current.settle(message.outcome);
    else onTelling?.(message.name, message.args);
  });
  worker.on("error", (cause: Error) => {
    end(
      isReady
        ? new SandboxEndedError("wasm", `its thread failed (${cause.message})`, { cause })
        : new SandboxSpawnFailedError("wasm", cause.message, { cause }),
    );
  });
  worker.on("exit", (code) => end(new SandboxEndedError("wasm", `its thread exited with code ${code}`)));

  return {
    run(task, bounds, onTell) {
      return new Promise<SandboxOutcome>((resolve, reject) => {
        const nonce = frameNonce();
        const over = (): void => {
          current = undefined;
          worker.unref();
        };
        current = {
          nonce,
          settle(outcome) {
            over();
            resolve(outcome);
          },
          fail(error) {
            over();
            reject(error);
          },
        };
        onTelling = onTell;
        if (ended !== undefined) {
          current.fail(ended);
          return;
        }
        worker.ref();
        worker.postMessage({ nonce, task, bounds } satisfies ToSandbox, []);
      });
    },
    kill() {
      end(new SandboxEndedError("wasm", "it was stopped"));
      void worker.terminate();
    },
  };
}

function threads(): typeof WorkerThreads {
  try {
    return nodeModule<typeof WorkerThreads>("node:worker_threads", "The wasm sandbox");
  } catch (cause) {
    throw new SandboxUnavailableError(
      "wasm",
      "this platform has no threads of Node's that can be ended",
      "Run the agent on Node 22.20 or later.",
      { cause },
    );
  }
}

/** The thread's program is in the folder of the package's code. */
function program(): URL {
  const inSources = import.meta.url.endsWith(".ts");
  const file = new URL(inSources ? "../wasm-sandbox.worker.ts" : "./wasm-sandbox.worker.js", import.meta.url);
  const { existsSync } = nodeModule<typeof FileSystem>("node:fs", "The wasm sandbox");
  if (existsSync(file)) return file;
  throw new SandboxUnavailableError(
    "wasm",
    `there is no file ${file.href}`,
    `Where an application is bundled into one file, leave @bailiwick/security out of the bundle ("external") and install it beside it.`,
  );
}
