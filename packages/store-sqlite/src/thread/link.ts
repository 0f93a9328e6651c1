import { setImmediate } from "node:timers";
import { receiveMessageOnPort } from "node:worker_threads";
import type { MessagePort, Worker } from "node:worker_threads";
import { StoreError } from "@bailiwick/core/store";
import type { Failure } from "./failure.ts";
import type { CallName, Reply, Request } from "./messages.ts";
import { paced } from "./paced.ts";
import type { DatabaseService } from "./service.ts";
import { toError } from "./to-error.ts";

/** Calls to the database's thread, from the thread that runs everything else. */
export interface DatabaseLink {
  /** The store, for errors. */
  readonly name: string;
  /**
   * Calls are sent together with the others of this turn of the event loop. Bytes among the arguments are transferred,
   * not copied.
   */
  call<Name extends CallName>(
    name: Name,
    ...args: Parameters<DatabaseService[Name]>
  ): ReturnType<DatabaseService[Name]>;
  /** Waits for earlier calls, then ends the thread. */
  close(): Promise<void>;
}

/** A link to one thread, which may end. */
export interface ThreadLink extends DatabaseLink {
  /** The reason why it ended; every call fails with it. */
  readonly ended: StoreError | undefined;
  /** True if it answered a call. */
  readonly answered: boolean;
  /** Resolves when it is gone, with its connection. */
  readonly exited: Promise<void>;
}

/** Maximum number of calls on their way; the others wait here, and are copied when it is their turn. */
const mostUnanswered = 1_024;

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Answered {
  readonly waiting: Pending;
  readonly value: unknown;
  readonly failure: Failure | undefined;
}

/**
 * Makes the link to a thread that has opened its file. Unanswered calls keep the process alive; the thread itself does
 * not.
 *
 * @param worker - The thread.
 * @param port - Port of the thread.
 * @param name - Name of the store, for errors.
 * @param whatNow - Remedy after the thread has ended, for the error of a thread that has answered or not.
 */
export function createLink(
  worker: Worker,
  port: MessagePort,
  name: string,
  whatNow: (answered: boolean) => string,
): ThreadLink {
  const pending = new Map<number, Pending>();
  let outbox: Request[] = [];
  let unanswered = 0;
  let scheduled = false;
  let lastId = 0;
  let closing: Promise<void> | undefined;
  let died: StoreError | undefined;
  let answered = false;

  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  const settle = paced(({ waiting, value, failure }: Answered) => {
    if (failure === undefined) waiting.resolve(value);
    else waiting.reject(toError(failure, name));
  });

  function receive(replies: readonly Reply[]): void {
    unanswered -= replies.length;
    if (outbox.length > 0) schedule();
    const settled: Answered[] = [];
    for (const [id, value, failure] of replies) {
      const waiting = pending.get(id);
      pending.delete(id);
      if (waiting !== undefined) settled.push({ waiting, value, failure });
    }
    if (pending.size === 0) keepAlive(false);
    settle(settled);
  }

  /** Handles replies of the thread. */
  function hear(replies: readonly Reply[]): void {
    answered = true;
    receive(replies);
  }

  port.on("message", hear);
  port.unref();
  worker.on("error", (error) => fail(error));
  worker.on("exit", () => {
    // Its last messages may not have been read yet.
    for (let last = receiveMessageOnPort(port); last !== undefined; last = receiveMessageOnPort(port))
      hear(last.message as readonly Reply[]);
    if (pending.size > 0 || closing === undefined) fail(undefined);
  });

  /** Runs on the thread's own end too: it closes its port, and waiting callers need an answer. */
  function keepAlive(needed: boolean): void {
    if (needed) {
      port.ref();
      worker.ref();
    } else {
      port.unref();
      // While closing, the worker keeps the process alive until it exits.
      if (closing === undefined) worker.unref();
    }
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(flush);
  }

  function flush(): void {
    scheduled = false;
    const room = mostUnanswered - unanswered;
    if (room <= 0 || outbox.length === 0) return;
    const batch = outbox.length <= room ? outbox : outbox.slice(0, room);
    outbox = outbox.length <= room ? [] : outbox.slice(room);
    unanswered += batch.length;
    try {
      port.postMessage(batch, bytesIn(batch));
    } catch (error) {
      refuse(batch, error);
    }
  }

  /** A value that cannot be sent fails its own call, not the others of the same batch. */
  function refuse(batch: readonly Request[], error: unknown): void {
    for (const request of batch) {
      if (batch.length > 1) {
        try {
          port.postMessage([request], bytesIn([request]));
        } catch (own) {
          refuse([request], own);
        }
        continue;
      }
      const message = `A value that was given to the store "${name}" cannot be stored: ${String(error)}.`;
      receive([[request[0], undefined, { kind: "store", code: "STORE_FAILED", message }]]);
    }
  }

  function fail(cause: unknown): void {
    if (died !== undefined) return;
    const reason = cause instanceof Error ? `: ${cause.message}` : "";
    died = new StoreError(
      "STORE_THREAD_ENDED",
      `The thread that writes the store "${name}" ended${reason}. What it had not answered may be stored or not. ${whatNow(answered)}`,
      { cause },
    );
    const waiting = [...pending.values()];
    pending.clear();
    outbox = [];
    port.close();
    // The next caller waits until it has ended.
    worker.ref();
    for (const { reject } of waiting) reject(died);
  }

  function ask(call: Request[1], args: readonly unknown[]): Promise<unknown> {
    if (died !== undefined) return Promise.reject(died);
    return new Promise((resolve, reject) => {
      lastId += 1;
      if (pending.size === 0) keepAlive(true);
      pending.set(lastId, { resolve, reject });
      outbox.push([lastId, call, args]);
      schedule();
    });
  }

  function close(): Promise<void> {
    if (died !== undefined) return exited;
    worker.ref();
    return ask("close", []).then(() => exited);
  }

  return {
    name,
    exited,
    get ended() {
      return died;
    },
    get answered() {
      return answered;
    },
    call(call, ...args) {
      const answer = closing === undefined ? ask(call, args) : Promise.reject(closedError(name));
      return answer as ReturnType<DatabaseService[typeof call]>;
    },
    close: () => (closing ??= close()),
  };
}

function bytesIn(batch: readonly Request[]): ArrayBuffer[] {
  const found: ArrayBuffer[] = [];
  for (const [, , args] of batch)
    if (args[0] instanceof Uint8Array && args[0].buffer instanceof ArrayBuffer) found.push(args[0].buffer);
  return found;
}

function closedError(name: string): StoreError {
  return new StoreError("STORE_CLOSED", `The store "${name}" is closed. Open it again before it is used.`);
}
