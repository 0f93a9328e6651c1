import { checkKnownNames, ConfigurationError } from "@bailiwick/core";
import { defaultHasher, errorListener } from "@bailiwick/core/extension";
import {
  databaseCalls,
  refuse,
  type RefusedError,
  toError,
  toRefused,
  type CallName,
  type DatabaseLink,
  type DatabaseService,
} from "@bailiwick/store-sqlite/portable";
import { blobsInParts } from "./blob-parts.ts";
import { objectCommits } from "./object-commits.ts";
import { objectDatabase } from "./object-database.ts";
import { migrateObject } from "./object-format.ts";
import type { ObjectState } from "./object-storage.ts";
import type { StoreAnswer, StoreRequest } from "./requests.ts";
import { storeOf, type DurableObjectStore } from "./store-of.ts";
import { wakeAlarm } from "./wake-alarm.ts";

/** Options of `storeObject`. */
export interface StoreObjectOptions {
  /**
   * Drives the due runs: sleepers at their time, ready runs, and runs whose Worker ended. Return `driveDue({ agents,
   * store })` of `@bailiwick/worker`, with an agent on this store. Without it, the object sets no alarm, and another
   * process has to drive the runs.
   */
  readonly drive?: ((store: DurableObjectStore) => Promise<unknown>) | undefined;
  /** Receives the errors of `drive`; default `console.error`. The alarm fires again later. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A store inside the Durable Object that holds it. */
export interface StoreObject {
  /** The store, for agents that run in the object itself. */
  readonly store: DurableObjectStore;
  /**
   * Answers the calls of `durableObjectStore`: the object's `store` method.
   *
   * @param requests - Calls of the store, which the object executes in order.
   */
  answer(requests: readonly StoreRequest[]): Promise<StoreAnswer[]>;
  /** The object's `alarm` method. */
  alarm(): Promise<void>;
}

const optionNames: { readonly [Name in keyof Required<StoreObjectOptions>]: true } = { drive: true, onError: true };

/** Calls after which another run may be the next due one. */
const movesDue: ReadonlySet<CallName> = new Set(["create", "acquire", "renew", "release", "signal"]);

/**
 * Keeps a store in a Durable Object: runs, ledger, sessions, memories and blobs in the object's own SQLite, and one
 * alarm that wakes the next run. Call it in the object's constructor, and expose its methods.
 *
 * @param state - The object's `ctx`. Its class must be under `new_sqlite_classes` of the Worker's migrations.
 * @param options - Who drives the runs that are due.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 * @throws StoreError `STORE_FORMAT` when a newer version wrote the object.
 * @example
 * ```ts
 * import type { ModelProvider } from "@bailiwick/core";
 * import { createAgentRuntime } from "@bailiwick/core";
 * import {
 *   storeObject,
 *   type ObjectState,
 *   type StoreAnswer,
 *   type StoreObject,
 *   type StoreRequest,
 * } from "@bailiwick/store-durable-objects";
 * import { driveDue } from "@bailiwick/worker";
 *
 * declare const model: ModelProvider;
 *
 * // In a Worker: class Stores extends DurableObject, from "cloudflare:workers".
 * export class Stores {
 *   readonly #object: StoreObject;
 *
 *   constructor(ctx: ObjectState) {
 *     this.#object = storeObject(ctx, {
 *       drive: (store) => driveDue({ agents: [createAgentRuntime({ name: "helper", model, store })], store }),
 *     });
 *   }
 *   store(requests: StoreRequest[]): Promise<StoreAnswer[]> {
 *     return this.#object.answer(requests);
 *   }
 *   alarm(): Promise<void> {
 *     return this.#object.alarm();
 *   }
 * }
 * ```
 */
export function storeObject(state: ObjectState, options: StoreObjectOptions = {}): StoreObject {
  checkKnownNames(options, Object.keys(optionNames), "storeObject()");
  for (const name of ["drive", "onError"] as const)
    if (options[name] !== undefined && typeof options[name] !== "function")
      throw new ConfigurationError("INVALID_OPTION", `storeObject() takes a function as "${name}".`);
  const { storage } = state ?? {};
  if (typeof storage?.sql?.exec !== "function") {
    throw new ConfigurationError(
      "INVALID_OPTION",
      `storeObject() takes the ctx of a Durable Object with SQLite. List its class under "new_sqlite_classes" in the Worker's migrations.`,
    );
  }
  const name = `durable-object:${state.id.name ?? state.id.toString()}`;
  const database = objectDatabase(storage.sql);
  try {
    migrateObject(storage, database, name);
  } catch (error) {
    throw toError(toRefused(error, name).failure, name);
  }
  const commits = objectCommits(storage, name);
  const calls = databaseCalls({
    database,
    name,
    commits,
    sha256: defaultHasher().sha256,
    blobs: blobsInParts(database),
    // Only the object opens its database, so each commit is its own.
    version: () => commits.count,
    // The host stores the object's file.
    shrink: async () => ({ freedBytes: 0, leftPages: 0 }),
    // A Durable Object has no "PRAGMA secure_delete".
    overwrite: (remove) => remove(),
  });

  async function ask(call: CallName, args: readonly unknown[]): Promise<unknown> {
    if (!Object.hasOwn(calls, call)) {
      throw refuse(
        "STORE_CALL_UNKNOWN",
        `The store "${name}" knows no call "${call}". Use the same version of @bailiwick/store-durable-objects in the object's Worker and in those that call it.`,
      );
    }
    const value = await (calls[call] as (...given: readonly unknown[]) => Promise<unknown>)(...args);
    if (movesDue.has(call)) alarm?.plan();
    return value;
  }
  const failureOf = (error: unknown): RefusedError => toRefused(error, name);
  const link: DatabaseLink = {
    name,
    call: <Name extends CallName>(call: Name, ...args: Parameters<DatabaseService[Name]>) =>
      ask(call, args).catch((error: unknown) => {
        throw toError(failureOf(error).failure, name);
      }) as ReturnType<DatabaseService[Name]>,
    close: async () => undefined,
  };
  const store = storeOf(link);
  const { drive } = options;
  const onError = errorListener(options.onError);
  const alarm = drive === undefined ? undefined : wakeAlarm(storage, database, () => drive(store), onError);

  return {
    store,
    answer: (requests) =>
      Promise.all(
        requests.map(async ([call, args]): Promise<StoreAnswer> => {
          try {
            return { value: await ask(call, args) };
          } catch (error) {
            return { failure: failureOf(error).failure };
          }
        }),
      ),
    alarm: async () => alarm?.ring(),
  };
}
