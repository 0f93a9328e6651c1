import { checkArgument, checkKnownNames } from "@bailiwick/core";
import type { McpServerOptions } from "@bailiwick/mcp/server";
import type { RunRoutesOptions, ServedAgent } from "@bailiwick/server";
import type { AgentEntry, WorkerAgent, WorkerOptions } from "@bailiwick/worker";

/** An agent that the command drives and serves; every `Agent` is one. */
export type ConfiguredAgent = WorkerAgent & ServedAgent & McpServerOptions["agent"];

/** Contents of `bailiwick.config.ts`. */
export interface BailiwickConfig {
  /** Agents that the commands drive, serve and inspect. Give `{ agent, aliases }` for an agent that was renamed. */
  readonly agents: readonly (ConfiguredAgent | (AgentEntry & { readonly agent: ConfiguredAgent }))[];
  /** Options of `bailiwick worker`, as `worker()` of `@bailiwick/worker` takes them. */
  readonly worker?: Omit<WorkerOptions, "agents" | "store" | "signal" | "stopOn"> | undefined;
  /** Options of the routes that `bailiwick dev` serves, as `runRoutes()` of `@bailiwick/server` takes them. */
  readonly routes?: Omit<RunRoutesOptions, "agent" | "store"> | undefined;
  /** Options of `bailiwick mcp`, as `mcpServer()` of `@bailiwick/mcp/server` takes them. */
  readonly mcp?: Partial<McpServerOptions> | undefined;
}

/**
 * Types the default export of `bailiwick.config.ts`.
 *
 * @param config - The agents, and how they are driven and served.
 * @returns the same object.
 * @throws ConfigurationError `UNKNOWN_OPTION` for a name that no command reads.
 * @example
 * ```ts
 * import { Agent } from "@bailiwick/agent";
 * import type { ModelProvider } from "@bailiwick/agent";
 * import { sqliteStore } from "@bailiwick/store-sqlite";
 * import { defineConfig, type BailiwickConfig } from "bailiwick";
 *
 * export function configure(model: ModelProvider): BailiwickConfig {
 *   const store = sqliteStore({ path: "./runs.db" });
 *   const desk = new Agent({ name: "desk", model, instructions: "Answer customers.", store });
 *   return defineConfig({ agents: [desk], worker: { concurrency: 4 } });
 * }
 * ```
 */
export function defineConfig(config: BailiwickConfig): BailiwickConfig {
  checkArgument(config, "object", "defineConfig({ agents })");
  checkConfigNames(config, "defineConfig()");
  return config;
}

/** @throws ConfigurationError `UNKNOWN_OPTION` for a name that no command reads. */
export function checkConfigNames(config: BailiwickConfig, where: string): void {
  checkKnownNames(config, ["agents", "worker", "routes", "mcp"], where);
}
