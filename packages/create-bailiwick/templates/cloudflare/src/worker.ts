import { DurableObject } from "cloudflare:workers";
import type { Agent } from "@bailiwick/agent";
import { openai } from "@bailiwick/providers-openai";
import { runRoutes } from "@bailiwick/server";
import {
  durableObjectStore,
  storeObject,
  type DurableObjectStore,
  type StoreAnswer,
  type StoreObject,
  type StoreRequest,
} from "@bailiwick/store-durable-objects";
import { driveDue } from "@bailiwick/worker";
import { createDesk } from "./agent.ts";

interface Env {
  readonly STORES: DurableObjectNamespace<Stores>;
  readonly OPENAI_API_KEY: string;
  /** Another address of the API: a gateway, or a test server. */
  readonly OPENAI_BASE_URL?: string;
  /** Callers send it as a bearer token. */
  readonly API_TOKEN?: string;
}

function deskOf(env: Env, store: DurableObjectStore): Agent {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL } = env;
  return createDesk(openai("gpt-5.5", { apiKey, ...(baseURL === undefined ? {} : { baseURL }) }), store);
}

/** Stores runs and chats. Its alarm wakes sleeping runs, and continues those whose Worker ended. */
export class Stores extends DurableObject<Env> {
  readonly #object: StoreObject;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#object = storeObject(ctx, { drive: (store) => driveDue({ agents: [deskOf(env, store)], store }) });
  }
  store(requests: StoreRequest[]): Promise<StoreAnswer[]> {
    return this.#object.answer(requests);
  }
  override alarm(): Promise<void> {
    return this.#object.alarm();
  }
}

/** Compares the token in constant time. Without a configured token, every caller is refused. */
async function hasToken({ headers }: Request, token: string | undefined): Promise<boolean> {
  if (token === undefined || token === "") return false;
  const digest = (text: string) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const given = headers.get("authorization") ?? "";
  return crypto.subtle.timingSafeEqual(await digest(given), await digest(`Bearer ${token}`));
}

export default {
  fetch(request, env, ctx) {
    // One object contains the whole store. Use one per tenant if you have several.
    const store = durableObjectStore(env.STORES.getByName("my-app"));
    const routes = runRoutes({
      agent: deskOf(env, store),
      store,
      // Replace this with the sign-in of your users: `userId` owns the runs.
      authorize: async (sent) => ((await hasToken(sent, env.API_TOKEN)) ? { userId: "owner" } : null),
    });
    return routes.fetch(request, env, ctx);
  },
} satisfies ExportedHandler<Env>;
