import { ConfigurationError, StoreError } from "@bailiwick/core/store";
import { toError, type DatabaseLink } from "@bailiwick/store-sqlite/portable";
import type { StoreAnswer, StoreRequest } from "./requests.ts";
import { storeOf, type DurableObjectStore } from "./store-of.ts";

/** The Durable Object that contains a store, as other Workers reach it: the stub that a namespace returns. */
export interface StoreStub {
  /**
   * Sends requests to the store, and returns their answers in the same order.
   *
   * @param requests - Calls of the store, which the object executes in order.
   */
  store(requests: StoreRequest[]): Promise<StoreAnswer[]>;
  /** Name of the object in its namespace, if it was made by name. */
  readonly name?: string | undefined;
}

interface Waiting {
  readonly request: StoreRequest;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The store in a Durable Object, for agents that run elsewhere. Name the object by the application's key, or by the id of
 * a tenant, which then has a separate store and alarm.
 *
 * Create one for each request, as Cloudflare requires for stubs; the calls of one step are sent in one message.
 *
 * @param object - The stub of an object whose `store` method is that of `storeObject`.
 * @throws ConfigurationError `INVALID_OPTION`
 * @example
 * ```ts
 * import { durableObjectStore, type DurableObjectStore, type StoreStub } from "@bailiwick/store-durable-objects";
 *
 * interface Env {
 *   readonly STORES: { getByName(name: string): StoreStub };
 * }
 *
 * export function storeOfTenant(env: Env, tenantId: string): DurableObjectStore {
 *   return durableObjectStore(env.STORES.getByName(tenantId));
 * }
 * ```
 */
export function durableObjectStore(object: StoreStub): DurableObjectStore {
  if (typeof object?.store !== "function") {
    throw new ConfigurationError(
      "INVALID_OPTION",
      `durableObjectStore() takes the stub of a Durable Object with a "store" method, such as env.STORES.getByName("tenant-1").`,
    );
  }
  return storeOf(linkTo(object, `durable-object:${object.name ?? "unnamed"}`));
}

function linkTo(object: StoreStub, name: string): DatabaseLink {
  let outbox: Waiting[] = [];

  async function send(): Promise<void> {
    const sent = outbox;
    outbox = [];
    try {
      const answers = await object.store(sent.map(({ request }) => request));
      for (const [index, { resolve, reject }] of sent.entries()) {
        const answer = answers[index];
        if (answer === undefined) reject(unavailable(name, "it gave no answer"));
        else if ("failure" in answer) reject(toError(answer.failure, name));
        else resolve(answer.value);
      }
    } catch (error) {
      const failure = unavailable(name, error instanceof Error ? error.message : String(error), error);
      for (const { reject } of sent) reject(failure);
    }
  }

  return {
    name,
    call(call, ...args) {
      const answer = new Promise<unknown>((resolve, reject) => {
        // The calls of one step are sent together at its end, in the same request.
        if (outbox.length === 0) queueMicrotask(() => void send());
        outbox.push({ request: [call, args], resolve, reject });
      });
      return answer as never;
    },
    close: async () => undefined,
  };
}

function unavailable(name: string, reason: string, cause?: unknown): StoreError {
  return new StoreError(
    "STORE_UNAVAILABLE",
    `The store "${name}" could not be reached: ${reason}. Its last writes may be stored or not; runs can be resumed when it answers.`,
    { cause },
  );
}
