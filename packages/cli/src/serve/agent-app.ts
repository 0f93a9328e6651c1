import { basename } from "node:path";
import type { AgentRuntime, RunHandle } from "@bailiwick/core";
import { agentRuntimeOf } from "@bailiwick/core/extension";
import { runRoutes, type ServedAgent } from "@bailiwick/server";
import { studio } from "@bailiwick/studio";
import { Hono } from "hono";
import type { BailiwickConfig } from "../entry/config.ts";
import { agentOf } from "../entry/load-entry.ts";
import type { Fetch } from "./listen.ts";

/** Routes of the agents, and a studio for each store. */
export interface AgentApp {
  readonly fetch: Fetch;
  /** Paths of the agents' routes, such as `/agents/desk`. */
  readonly paths: readonly string[];
  /** Links that open the studio, by the base address. */
  links(base: string): readonly string[];
  /** Runs that requests to this app drive. */
  busy(): number;
}

/**
 * Makes the app that `bailiwick dev` serves.
 *
 * @param config - The agents.
 * @param token - Token of the studio.
 * @param entry - Path of the module that exports them.
 */
export function agentApp(config: BailiwickConfig, token: string, entry?: string): AgentApp {
  const app = new Hono();
  let busy = 0;
  const count = (handle: RunHandle): RunHandle => {
    busy += 1;
    void handle.result.then(
      () => (busy -= 1),
      () => (busy -= 1),
    );
    return handle;
  };
  const agents = config.agents.map((entry) => {
    const agent = agentOf(entry);
    const { store } = (agentRuntimeOf(agent) as AgentRuntime).definition;
    const path = `/agents/${encodeURIComponent(agent.name)}`;
    const served = countedAgent(agent, count);
    app.route(path, runRoutes({ ...config.routes, agent: served, store }));
    return { agent: served, store, path };
  });
  const stores = [...new Set(agents.map(({ store }) => store))];
  const studios = stores.map((store, index) => {
    const path = index === 0 ? "/studio/" : `/studio-${index + 1}/`;
    const own = agents.filter((one) => one.store === store).map(({ agent }) => agent);
    const page = studio({
      store,
      agents: own,
      token,
      ...(entry !== undefined && { entry: `./${basename(entry)}` }),
    });
    app.mount(path.slice(0, -1), (request, env: object) => page.fetch(request, env));
    return (base: string) => page.link(`${base}${path}`);
  });
  app.get("/", (context) =>
    context.json({ agents: agents.map(({ agent, path }) => ({ name: agent.name, path })), studio: "/studio/" }),
  );
  return {
    fetch: (request, env) => app.fetch(request, env),
    paths: agents.map(({ path }) => path),
    links: (base) => studios.map((link) => link(base)),
    busy: () => busy,
  };
}

/** The same agent; counts the runs that its streams drive. */
function countedAgent(agent: ServedAgent, count: (handle: RunHandle) => RunHandle): ServedAgent {
  return new Proxy(agent, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      const call = (...args: unknown[]): unknown => Reflect.apply(value, target, args);
      if (key !== "stream" && key !== "resumeStream") return call;
      return (...args: unknown[]) => count(call(...args) as RunHandle);
    },
  });
}
