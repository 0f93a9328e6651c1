import { ConfigurationError } from "@bailiwick/core";
import type { Registry, Tool } from "@bailiwick/core";
import type { ServedPrompt } from "./prompts.ts";
import type { ServedResource } from "./resources.ts";
import type { ServedAgent } from "./served-agent.ts";
import { tasksMistake } from "./task-options.ts";
import type { TaskOptions } from "./task-options.ts";

/** Settings of the agent itself as a tool. */
export interface AskTool {
  /** Default `ask_` and the agent's name. */
  readonly name?: string | undefined;
  /** The tool's description. Default: the agent's own. */
  readonly description?: string | undefined;
}

/** The served agents, and the settings. */
export interface McpServerOptions {
  /** The server's own name. */
  readonly name: string;
  /** Default `1`. */
  readonly version?: string | undefined;
  /** Instructions of the server for the client's model. */
  readonly instructions?: string | undefined;
  /**
   * The agent whose policy applies to everything. A call of a tool is a run of this agent with exactly that call:
   * hooks, guardrails, flow rules, approvals, time-outs, journal and secrets are the agent's. The call needs no model.
   */
  readonly agent: ServedAgent;
  /** The agent's own tools that are served: a list, or a registry with all of its tools. Default: none. */
  readonly tools?: readonly Tool[] | Registry | undefined;
  /** Further agents, each served as a tool `ask_<name>` that takes a question; each runs under its own policy. Default: none. */
  readonly agents?: readonly ServedAgent[] | undefined;
  /** Resources that clients can list and read. Default: none. */
  readonly resources?: readonly ServedResource[] | undefined;
  /** Prompts that clients can list and get. Default: none. */
  readonly prompts?: readonly ServedPrompt[] | undefined;
  /**
   * Serves the agent itself as a tool that takes a question. Default `true` if there are no `tools`, `agents`,
   * `resources` or `prompts`, else `false`.
   */
  readonly ask?: boolean | AskTool | undefined;
  /**
   * Trust in the arguments. `untrusted`: a tool that writes asks before it runs. `user`: they count as the user's own
   * words; for clients that only the user drives. Default `untrusted`.
   */
  readonly argumentsFrom?: "untrusted" | "user" | undefined;
  /**
   * Treatment of a call that a person has to approve, or that asks a question: `refuse` ends it; `elicit` asks the
   * client's user, if the client supports it. Default `refuse`.
   */
  readonly questions?: "refuse" | "elicit" | undefined;
  /**
   * Lets a long call become a task, for clients of 2026-07-28 that support tasks: the client gets an id at once and
   * fetches the result later, also from another process with the store of the agent. `true` uses the default terms.
   * Default `false`.
   */
  readonly tasks?: boolean | TaskOptions | undefined;
  /**
   * Key that signs the state which a client of 2026-07-28 returns with an answer, and the ids of sessions of earlier
   * clients; at least 32 bytes. Set it if several processes serve: each one then serves each session. Default: a key of
   * this process, and sessions that live in it.
   */
  readonly stateKey?: string | Uint8Array | undefined;
  /**
   * Called with errors that clients do not see: the cause of a failed call, and once per tool
   * `MCP_CALL_REFUSED` if its calls are refused because no person can approve them. Default: prints
   * to standard error.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Tools that every registry has for the model itself. */
const builtIn: ReadonlySet<string> = new Set(["tool_search", "read_result"]);
/** Limits of names in the protocol and at vendors. */
const namePattern = /^[A-Za-z0-9_.-]{1,128}$/u;

/**
 * Refuses options that cannot be honoured.
 *
 * @throws ConfigurationError `INVALID_MCP_OPTION`
 */
export function checkServerOptions(options: McpServerOptions): void {
  const refuse = (why: string): ConfigurationError =>
    new ConfigurationError(
      "INVALID_MCP_OPTION",
      `mcpServer()${options.name === undefined ? "" : ` "${options.name}"`}: ${why}.`,
    );
  const known = [
    "name",
    "version",
    "instructions",
    "agent",
    "tools",
    "agents",
    "resources",
    "prompts",
    "ask",
    "argumentsFrom",
    "questions",
    "tasks",
    "stateKey",
    "onError",
  ];
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown !== undefined) throw refuse(`it has no option "${unknown}"`);
  if (typeof options.name !== "string" || options.name === "") throw refuse("it needs a name");
  const agent = options.agent as Partial<ServedAgent> | undefined;
  if (typeof agent?.stream !== "function" || typeof agent.resumeStream !== "function")
    throw refuse("it needs an agent, under whose policy everything runs");
  const choices = [
    ["argumentsFrom", ["untrusted", "user"]],
    ["questions", ["refuse", "elicit"]],
  ] as const;
  for (const [key, allowed] of choices) {
    const value: unknown = options[key];
    if (value !== undefined && !(allowed as readonly unknown[]).includes(value))
      throw refuse(`${key} is ${JSON.stringify(value)}; use "${allowed.join('" or "')}"`);
  }
  const { stateKey, onError } = options;
  if (onError !== undefined && typeof onError !== "function") throw refuse("onError is not a function");
  if (stateKey !== undefined && new TextEncoder().encode(String(stateKey)).length < 32 && stateKey.length < 32)
    throw refuse("stateKey is shorter than 32 bytes");
  checkServed(options, refuse);
}

/** Refuses a server that serves nothing, and names that clients could not use or distinguish. */
function checkServed(options: McpServerOptions, refuse: (why: string) => ConfigurationError): void {
  const names = servedTools(options).map(({ name }) => name);
  for (const { name } of askTools(options)) names.push(name);
  const { resources = [], prompts = [] } = options;
  if (names.length + resources.length + prompts.length === 0)
    throw refuse("it serves nothing: give tools, agents, resources or prompts, or ask: true");
  for (const name of names) if (!namePattern.test(name)) throw refuse(`"${name}" is not a name for a tool`);
  const mistake = tasksMistake(options.tasks, names);
  if (mistake !== undefined) throw refuse(mistake);
  const repeated = firstRepeated(names);
  if (repeated !== undefined) throw refuse(`two tools are called "${repeated}"`);
  const twice = firstRepeated(prompts.map(({ name }) => name)) ?? firstRepeated(resources.map(({ uri }) => uri));
  if (twice !== undefined) throw refuse(`"${twice}" is served twice`);
  for (const { uri } of resources)
    if (!/^[a-z][a-z\d+.-]*:/iu.test(uri))
      throw refuse(`"${uri}" is not an address of a resource; use one with a scheme, such as shop://terms`);
}

function firstRepeated(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}

/** The tools that are served. */
export function servedTools({ tools = [] }: McpServerOptions): readonly Tool[] {
  return "register" in tools ? tools.list().filter(({ name }) => !builtIn.has(name)) : tools;
}

/** The agents that are served as tools, with the name and the description of each tool. */
export function askTools(
  options: McpServerOptions,
): readonly { readonly name: string; readonly description: string; readonly agent: ServedAgent }[] {
  const { agent, agents = [], tools, resources, prompts } = options;
  const { ask = [tools, options.agents, resources, prompts].every((one) => one === undefined) } = options;
  const own = ask === false ? [] : [{ agent, given: ask === true ? {} : ask }];
  return [...own, ...agents.map((one) => ({ agent: one, given: {} as AskTool }))].map(({ agent: one, given }) => ({
    agent: one,
    name: given.name ?? `ask_${one.name.replaceAll(/[^A-Za-z0-9_.-]+/gu, "_")}`.slice(0, 64),
    description: given.description ?? one.description ?? `Asks the agent "${one.name}", and gives its answer.`,
  }));
}
