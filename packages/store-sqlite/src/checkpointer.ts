import { Worker } from "node:worker_threads";

/** Moves a write-ahead log into its database beside the event loop. */
export interface Checkpointer {
  /** Says that a transaction was committed. */
  committed(): void;
  /** Resolves when its connection is closed. */
  close(): Promise<void>;
}

/** Transactions between two checkpoints. */
const commitsBetween = 128;

const program = `
const { parentPort, workerData } = require("node:worker_threads");
const { DatabaseSync } = require("node:sqlite");
const database = new DatabaseSync(workerData);
parentPort.on("message", (what) => {
  if (what === "close") {
    database.close();
    parentPort.close();
    return;
  }
  try {
    database.exec("PRAGMA wal_checkpoint(PASSIVE)");
  } catch {
    // The log stays as it is until the next time.
  }
  parentPort.postMessage("done");
});
`;

/**
 * Makes a checkpointer. Its thread starts with the first checkpoint that is due: copying pages takes tens of milliseconds,
 * in which an event loop would stand still.
 *
 * @param path - The database's file, in write-ahead mode.
 * @param onUnavailable - Called when no thread can be had: the connection must checkpoint by itself then.
 */
export function createCheckpointer(path: string, onUnavailable: () => void): Checkpointer {
  let worker: Worker | undefined;
  let exited: Promise<void> = Promise.resolve();
  let busy = false;
  let failed = false;
  let commits = 0;

  function start(): Worker {
    const started = new Worker(program, { eval: true, execArgv: [], workerData: path });
    started.unref();
    started.on("message", () => (busy = false));
    started.on("error", () => {
      failed = true;
      onUnavailable();
    });
    exited = new Promise((resolve) => started.on("exit", () => resolve()));
    return started;
  }

  return {
    committed() {
      commits += 1;
      if (failed || busy || commits < commitsBetween) return;
      commits = 0;
      busy = true;
      worker ??= start();
      worker.postMessage("checkpoint", []);
    },
    close() {
      if (worker === undefined || failed) return exited;
      worker.ref();
      worker.postMessage("close", []);
      return exited;
    },
  };
}
