import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { agentRuntimeOf } from "@bailiwick/core/extension";
import { CommandError } from "../command-error.ts";
import { exitCodes } from "../exit-codes.ts";
import { checkConfigNames, type BailiwickConfig, type ConfiguredAgent } from "./config.ts";

/** Names that are tried when no entry is given. */
const usualNames = ["bailiwick.config.ts", "bailiwick.config.mts", "bailiwick.config.js", "bailiwick.config.mjs"];

/** An entry module with its agents. */
export interface LoadedEntry {
  /** Absolute path of the module. */
  readonly path: string;
  readonly config: BailiwickConfig;
}

/** Finds the entry module: the given one, else `bailiwick.config.ts` in the working directory. */
export function findEntry(given: string | undefined): string | undefined {
  if (given === undefined) return usualNames.map((name) => resolve(name)).find((path) => existsSync(path));
  const path = resolve(given);
  if (existsSync(path)) return path;
  throw configError(`There is no file "${path}". Pass the path of a module that exports your agents.`);
}

/**
 * Loads the entry module. TypeScript is compiled by tsx, with the project's `tsconfig.json`.
 *
 * @param path - From `findEntry`.
 * @throws CommandError `CLI_CONFIG`
 */
export async function loadEntry(path: string): Promise<LoadedEntry> {
  return { path, config: configOf(path, await loadModule(path)) };
}

/** Registered once: a second compiler would compile what the first one wrote. */
let compiler: Promise<void> | undefined;

async function registerCompiler(): Promise<void> {
  const { register } = await import("tsx/esm/api");
  // Stays registered: the module may import others later.
  register();
}

/**
 * Loads a module of the project.
 *
 * @throws CommandError `CLI_CONFIG`
 */
export async function loadModule(path: string): Promise<Record<string, unknown>> {
  try {
    if (/\.[mc]?tsx?$/.test(path)) await (compiler ??= registerCompiler());
    return (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  } catch (cause) {
    throw configError(`"${path}" could not be loaded: ${messageOf(cause)}`, cause);
  }
}

function configOf(path: string, module: Record<string, unknown>): BailiwickConfig {
  // In a project without "type": "module" the exports are one level deeper.
  const wrapped = module["default"] as Record<string, unknown> | null | undefined;
  if (wrapped?.["__esModule"] === true) return configOf(path, wrapped);
  const main = module["default"];
  if (isConfig(main)) {
    checkConfigNames(main, `the configuration in "${path}"`);
    const wrong = main.agents.findIndex((entry) => !isAgent(agentOf(entry)));
    if (wrong === -1 && main.agents.length > 0) return main;
    throw configError(
      main.agents.length === 0
        ? `"agents" of "${path}" is empty. Add an agent.`
        : `Entry ${wrong} of "agents" in "${path}" is not an agent. Give an Agent, or { agent, aliases }.`,
    );
  }
  const exported = [main, ...Object.values(module)].flatMap((value) => (Array.isArray(value) ? value : [value]));
  const agents = [...new Set(exported)].filter((value): value is ConfiguredAgent => isAgent(value));
  if (agents.length > 0) return { agents };
  throw configError(
    `"${path}" exports no agent. Export an Agent, or a default export of defineConfig({ agents: [...] }).`,
  );
}

/** The agent of an entry of `agents`. */
export function agentOf(entry: BailiwickConfig["agents"][number]): ConfiguredAgent {
  return "agent" in entry ? entry.agent : entry;
}

function isConfig(value: unknown): value is BailiwickConfig {
  return typeof value === "object" && value !== null && "agents" in value && Array.isArray(value.agents);
}

function isAgent(value: unknown): boolean {
  return typeof value === "object" && value !== null && agentRuntimeOf(value) !== undefined;
}

function configError(message: string, cause?: unknown): CommandError {
  return new CommandError("CLI_CONFIG", message, exitCodes.failed.code, { cause });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
