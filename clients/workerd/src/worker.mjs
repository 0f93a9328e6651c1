// The Worker that is tested: the agent at module scope, a store in a Durable Object, and the conformance kit of stores.
import { DurableObject, env as bindings } from "cloudflare:workers";
import { Agent, tool } from "../../../packages/agent/src/index.ts";
import { runRoutes } from "../../../packages/server/src/index.ts";
import { mcp } from "../../../packages/mcp/src/index.ts";
import { durableObjectStore, storeObject } from "../../../packages/store-durable-objects/src/index.ts";
import { memoryConformance, storeConformance } from "../../../packages/testing/src/conformance.ts";
import { driveDue } from "../../../packages/worker/src/index.ts";
import { openai } from "../../../packages/providers-openai/src/index.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const day = 24 * 3_600_000;
/** Moved by a day for one request: who comes back tomorrow. */
let offset = 0;
const clock = {
  now: () => Date.now() + offset,
  setTimer(callback, delayMs) {
    const timer = setTimeout(() => callback(), delayMs);
    return () => clearTimeout(timer);
  },
};

const nap = tool({
  name: "nap",
  description: "Waits a moment.",
  inputSchema: { type: "object" },
  sideEffectClass: "pure",
  execute: (_, context) => context.sleep({ ms: 1_500 }).then(() => "rested"),
});
const send = tool({
  name: "send",
  description: "Sends a letter.",
  inputSchema: { type: "object" },
  sideEffectClass: "external-stateful",
  idempotencyKey: "call",
  needsApproval: true,
  execute: () => "sent",
});

const model = openai("gpt-5-mini", { apiKey: "sk-test", baseURL: bindings.MODEL });
const agentOver = (store) => new Agent({ name: "helper", model, store, clock, tools: [nap, send], logger: quiet });

/** Made while modules load, as most Workers do. */
const atModuleScope = new Agent({
  name: "module",
  model,
  keys: { seal: "k".repeat(40) },
  logger: quiet,
});

/** An agent with a server at module scope: its connection outlives the request that opened it. */
const tracker = (name) =>
  mcp({ name, url: bindings.MCP, protocol: name, tools: { look: { sideEffectClass: "read-only" } } });
const servers = { auto: tracker("auto"), legacy: tracker("legacy") };

export class Stores extends DurableObject {
  #object;
  constructor(ctx, env) {
    super(ctx, env);
    this.#object = storeObject(ctx, { drive: (store) => driveDue({ agents: [agentOver(store)], store }) });
  }
  store(requests) {
    return this.#object.answer(requests);
  }
  alarm() {
    return this.#object.alarm();
  }
}

/** Has no alarm, since the kit decides when runs are resumed. */
export class PlainStores extends DurableObject {
  #object;
  constructor(ctx, env) {
    super(ctx, env);
    this.#object = storeObject(ctx);
  }
  store(requests) {
    return this.#object.answer(requests);
  }
}

const output = ({ status, text, runId, stopReason, interruptions }) => ({
  status,
  text,
  runId,
  stopReason,
  questions: interruptions?.length ?? 0,
});

const makeStore = (env) => {
  const name = crypto.randomUUID();
  const open = () => durableObjectStore(env.PLAIN.getByName(name));
  return { store: open(), again: open };
};
let cases;
const conformance = (env) =>
  (cases ??= [
    ...storeConformance(() => makeStore(env), { runs: 5, shortTtlMs: 100 }),
    ...memoryConformance(() => ({ memories: makeStore(env).store.memories }), { runs: 3 }),
  ]);

export default {
  async fetch(request, env, context) {
    const url = new URL(request.url);
    const store = () => durableObjectStore(env.STORES.getByName(url.searchParams.get("store") ?? "one"));
    try {
      switch (url.pathname) {
        case "/run":
          return Response.json(output(await atModuleScope.run("Hello.")));
        case "/mcp": {
          const server = servers[url.searchParams.get("protocol")];
          const agent = new Agent({ name: "module", model, logger: quiet, flow: "off", mcp: [server] });
          const { status, toolCalls } = await agent.run("Use look");
          return Response.json({
            status,
            outputs: toolCalls
              .map((call) =>
                typeof call.output === "string" ? call.output : (call.error?.message ?? JSON.stringify(call.output)),
              )
              .join(),
          });
        }
        case "/stream": {
          const run = atModuleScope.stream("Hello.");
          let deltas = 0;
          for await (const event of run) if (event.type === "text") deltas += 1;
          return Response.json({ ...output(await run.result), deltas });
        }
        case "/stored":
          return Response.json(output(await agentOver(store()).run(url.searchParams.get("input") ?? "Hello.")));
        case "/look": {
          const run = await store().getRun(url.searchParams.get("run"));
          return Response.json({ state: run?.state, wakeAt: run?.wakeAt, attempts: run?.attempts });
        }
        case "/decide": {
          offset = url.searchParams.has("tomorrow") ? day : 0;
          const agent = agentOver(store());
          const [question] = await agent.interruptions(url.searchParams.get("run"));
          return Response.json(output(await agent.resume(url.searchParams.get("run"), [question.approve()])));
        }
        case "/blob": {
          const bytes = new Uint8Array(5_000_000).map((_, at) => at % 251);
          const found = await store().getBlob(await store().putBlob(bytes));
          return Response.json({
            same: found.length === bytes.length && found.every((byte, at) => byte === bytes[at]),
          });
        }
        case "/case": {
          const one = conformance(env)[Number(url.searchParams.get("index"))];
          if (one === undefined) return new Response("", { status: 204 });
          try {
            await one.run();
            return Response.json({ name: one.name });
          } catch (error) {
            return Response.json({ name: one.name, failure: String(error?.stack ?? error) });
          }
        }
        default:
          if (!url.pathname.startsWith("/agent/")) return new Response("", { status: 404 });
          return runRoutes({
            agent: agentOver(store()),
            store: store(),
            authorize: () => ({ userId: "tester" }),
            waitUntil: (promise) => context.waitUntil(promise),
          }).fetch(new Request(new URL(url.pathname.slice("/agent".length) + url.search, url), request));
      }
    } catch (error) {
      return Response.json({ error: String(error?.stack ?? error) }, { status: 500 });
    }
  },
};
