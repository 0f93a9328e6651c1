import { ConfigurationError } from "@bailiwick/core";
import type { Decision, Interruption, RunHandle, RunInput, RunOptions, Tool } from "@bailiwick/core";

/** What of an agent is served; any `Agent` is one. */
export interface ServedAgent {
  readonly name: string;
  readonly description?: string | undefined;
  stream(input: RunInput, options?: RunOptions): RunHandle;
  resumeStream(runId: string, decisions?: readonly Decision[], options?: RunOptions): RunHandle;
  interruptions(runId: string): Promise<readonly Interruption[]>;
  cancel(runId: string, reason?: string): Promise<void>;
}

/** On whose behalf a client calls. */
export interface McpCaller {
  /** Whose data this is: part of every key of sessions, kept results and runs. */
  readonly tenantId?: string | undefined;
  /** Journaled as the user of the runs, and as who decided. */
  readonly userId?: string | undefined;
}

/** How the agent itself is called as a tool. */
export interface AskTool {
  /** Default `ask_` and the agent's name. */
  readonly name?: string | undefined;
  /** Default: the agent's own. */
  readonly description?: string | undefined;
}

/** What is served, and on what terms. */
export interface McpServerOptions {
  /** What the server calls itself. */
  readonly name: string;
  /** Default `1`. */
  readonly version?: string | undefined;
  /** What a client's model is told of the server as a whole. */
  readonly instructions?: string | undefined;
  /**
   * Under whose policy everything runs. A call of a tool is a run of this agent with exactly that call: hooks, guardrails,
   * flow rules, approvals, time-outs, journal and secrets are the agent's. No model is asked for it.
   */
  readonly agent: ServedAgent;
  /** Which of the agent's own tools are served. Default: none. */
  readonly tools?: readonly Tool[] | undefined;
  /** Serves the agent itself as a tool that takes a question. Default `true` without `tools`, else `false`. */
  readonly ask?: boolean | AskTool | undefined;
  /**
   * Whose word the arguments are. `untrusted`: nobody's, so that a tool that writes asks before it runs. `user`: they count
   * as what the agent's user wrote; for clients that only the user drives. Default `untrusted`.
   */
  readonly argumentsFrom?: "untrusted" | "user" | undefined;
  /**
   * What becomes of a call that a person has to approve, or that asks one: `refuse` ends it; `elicit` asks the client's user,
   * where the client can. Default `refuse`.
   */
  readonly questions?: "refuse" | "elicit" | undefined;
  /**
   * Signs what a client of 2026-07-28 hands back between a question and its answer; at least 32 bytes. Give it where several
   * processes serve. Default: a key of this process.
   */
  readonly stateKey?: string | Uint8Array | undefined;
  /** Told what clients are not told: why a call failed inside. Default: the error stream. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Limits of names in the protocol and at vendors. */
const namePattern = /^[A-Za-z0-9_.-]{1,128}$/u;

/**
 * Refuses what cannot be honoured.
 *
 * @throws ConfigurationError `INVALID_MCP_OPTION`
 */
export function checkServerOptions(options: McpServerOptions): void {
  const refuse = (why: string): ConfigurationError =>
    new ConfigurationError("INVALID_MCP_OPTION", `mcpServer() "${options.name}": ${why}.`);
  const known = [
    "name",
    "version",
    "instructions",
    "agent",
    "tools",
    "ask",
    "argumentsFrom",
    "questions",
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
  const { stateKey } = options;
  if (stateKey !== undefined && new TextEncoder().encode(String(stateKey)).length < 32 && stateKey.length < 32)
    throw refuse("stateKey is shorter than 32 bytes");
  const names = (options.tools ?? []).map(({ name }) => name);
  const ask = askToolOf(options)?.name;
  if (ask !== undefined) names.push(ask);
  if (names.length === 0) throw refuse("it serves nothing: give tools, or ask: true");
  for (const name of names) if (!namePattern.test(name)) throw refuse(`"${name}" is no name for a tool`);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw refuse(`two of its tools are called "${twice}"`);
}

/** The tool that is the agent itself, where it is served. */
export function askToolOf({
  agent,
  tools,
  ask = tools === undefined,
}: McpServerOptions): { readonly name: string; readonly description: string } | undefined {
  if (ask === false) return undefined;
  const given = ask === true ? {} : ask;
  return {
    name: given.name ?? `ask_${agent.name.replaceAll(/[^A-Za-z0-9_.-]+/gu, "_")}`.slice(0, 64),
    description: given.description ?? agent.description ?? `Asks the agent "${agent.name}", and gives its answer.`,
  };
}
