import { ConfigurationError, agentTool, checkKnownNames, exposeRuntime } from "@bailiwick/core";
import type {
  AgentOptions,
  AgentRuntime,
  AgentToolOptions,
  ContentPart,
  JsonSchema,
  Runnable,
  SecretSource,
  SecretsPort,
  SecurityPorts,
  Tool,
} from "@bailiwick/core";
import {
  answerOf,
  compositionOptions,
  createRuntime,
  inheritedSecrets,
  insideOf,
  nestedRun,
  readPlain,
  runNode,
  runtimeOf,
  systemClock,
  toolNameOf,
  withSource,
} from "@bailiwick/core/extension";
import type { Program } from "./program.ts";
import { programModel } from "./program-model.ts";

/** Settings that every composition takes. */
export interface CompositionOptions extends Pick<
  AgentOptions,
  | "store"
  | "extensions"
  | "ledger"
  | "leaseMs"
  | "keys"
  | "budget"
  | "timeouts"
  | "maxDepth"
  | "eventBus"
  | "logger"
  | "clock"
  | "ids"
  | "session"
> {
  /** Name in events, errors and the journal. */
  readonly name?: string | undefined;
  /** Description for models that may call it. */
  readonly description?: string | undefined;
  /** Nodes that run at once; default 8. */
  readonly concurrency?: number | undefined;
}

/**
 * Refuses options that a composition does not have.
 *
 * @param kind - Name of the composition, for the message.
 * @param own - Options of this composition, besides those of all compositions.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 */
export function checkCompositionOptions(kind: string, options: CompositionOptions, ...own: readonly string[]): void {
  const given: unknown = options;
  if (typeof given !== "object" || given === null)
    throw new ConfigurationError("INVALID_OPTION", `The options of ${kind}() must be an object.`);
  checkKnownNames(options, [...own, ...compositionOptions, "name", "concurrency"], `${kind}()`);
}

/** A composition: it runs, is stored, resumed, inspected and cancelled like an agent, and can be a tool of an agent. */
export interface Composition extends Pick<
  AgentRuntime,
  | "name"
  | "description"
  | "sessions"
  | "run"
  | "stream"
  | "enqueue"
  | "resume"
  | "resumeStream"
  | "decide"
  | "steer"
  | "followUp"
  | "cancel"
  | "interruptions"
  | "inspect"
  | "verifyAudit"
  | "follow"
  | "fork"
  | "replay"
> {
  /**
   * Offers this composition to an agent as a tool, as `agent.asTool()` offers an agent.
   *
   * @param options - Name, arguments and mapping. Default: one argument `input`, and the answer as output.
   */
  asTool<Input = { readonly input: string }, Output = unknown, const Name extends string = string>(
    options?: AgentToolOptions<Input, Output, Name>,
  ): Tool<NoInfer<Input>, Output, unknown, Name>;
}

const nodeInput: JsonSchema = {
  type: "object",
  properties: { input: {}, extraVars: { type: "object" } },
  required: ["input"],
};

/**
 * Makes a composition of named nodes and the program that calls them.
 *
 * @param kind - Name of the composition, used if none is given.
 * @param nodes - By name; names become tool names.
 * @param program - Decides the next step.
 */
export function compose(
  kind: string,
  nodes: ReadonlyMap<string, Runnable>,
  program: Program,
  options: CompositionOptions,
): Composition {
  for (const [node, runnable] of nodes) checkNode(kind, `the node "${node}"`, runnable);
  if (nodes.size === 0)
    throw new ConfigurationError("EMPTY_COMPOSITION", `${kind}() has no nodes. Give it at least one agent.`);
  const { name = kind, description, concurrency, ...settings } = options;
  const model = programModel(name, program, options.clock ?? systemClock);
  const secrets = secretsOf(nodes);
  const runtime = createRuntime(
    "composition",
    {
      ...settings,
      name,
      ...(description !== undefined && { description }),
      model,
      tools: Array.from(nodes, ([node, runnable]) =>
        withSource(nodeTool(node, runnable), { kind: "built-in", subsystem: "composition" }),
      ),
      maxTurns: Number.MAX_SAFE_INTEGER,
      loopDetection: false,
      prices: { [`bailiwick/${name}`]: { input: 0, output: 0 } },
      ...(concurrency !== undefined && { toolConcurrency: concurrency }),
      ...(secrets !== undefined && { secrets: ofNodes }),
    },
    { ...portsOf(nodes), ...(secrets !== undefined && { secrets: () => secrets }) },
  );
  const composition: Composition = { ...runtime, asTool: (toolOptions) => agentTool(composition, toolOptions) };
  exposeRuntime(composition, runtime);
  return composition;
}

/** A composition adds no authority: it uses the labels of its agents' policy. */
function portsOf(nodes: ReadonlyMap<string, Runnable>): SecurityPorts {
  for (const runnable of nodes.values()) {
    const { flow, signer, sealer } = runtimeOf(runnable)?.ports ?? {};
    if (flow !== undefined) return { flow, signer, sealer };
  }
  return {};
}

/** Secrets that the agents of a composition scrub; the composition scrubs them in its journal and events too. */
function secretsOf(nodes: ReadonlyMap<string, Runnable>): SecretsPort | undefined {
  return Array.from(nodes.values(), (runnable) => runtimeOf(runnable)?.definition.secrets).reduce(inheritedSecrets);
}

/** A composition has no tools that may ask for a secret. */
const ofNodes: SecretSource = {
  name: "nodes",
  has: () => false,
  get: (name) => {
    throw new ConfigurationError(
      "INVALID_OPTION",
      `A composition has no secrets, so "${name}" does not exist. Read it in a tool of one of its agents.`,
    );
  },
};

/**
 * Refuses a node that nothing can run.
 *
 * @param kind - Name of the composition, for the message.
 * @param place - Place of the node in the composition.
 * @throws ConfigurationError `INVALID_OPTION`
 */
export function checkNode(kind: string, place: string, node: unknown): asserts node is Runnable {
  const { name, run } = (node ?? {}) as Partial<Runnable>;
  if (typeof name === "string" && typeof run === "function") return;
  throw new ConfigurationError(
    "INVALID_OPTION",
    `${kind}(): ${place} is not an agent. Give an agent, a composition, or an object with "name", "run" and "stream".`,
  );
}

/**
 * The nodes of an object, by name.
 *
 * @throws ConfigurationError `INVALID_OPTION` for a value that is not an object of nodes.
 */
export function nodesByName(kind: string, runnables: Readonly<Record<string, Runnable>>): Map<string, Runnable> {
  if (typeof runnables === "object" && runnables !== null && !Array.isArray(runnables))
    return new Map(Object.entries(runnables));
  throw new ConfigurationError(
    "INVALID_OPTION",
    `${kind}() takes agents by name: ${kind}({ first: oneAgent, second: otherAgent }).`,
  );
}

/** Names for the nodes of a list: their own names, numbered if two are equal. */
export function nameNodes(kind: string, runnables: readonly Runnable[]): Map<string, Runnable> {
  const nodes = new Map<string, Runnable>();
  if (!Array.isArray(runnables))
    throw new ConfigurationError("INVALID_OPTION", `${kind}() takes a list of agents: ${kind}([first, second]).`);
  for (const [index, runnable] of runnables.entries()) {
    checkNode(kind, `entry ${index + 1}`, runnable);
    const base = toolNameOf(runnable.name);
    let name = base;
    for (let count = 2; nodes.has(name); count += 1) name = `${base}_${count}`;
    nodes.set(name, runnable);
  }
  return nodes;
}

function nodeTool(name: string, runnable: Runnable): Tool {
  return {
    name,
    description: runnable.description ?? `Runs "${runnable.name}".`,
    inputSchema: nodeInput,
    sideEffectClass: "read-only",
    maxResultTokens: Number.MAX_SAFE_INTEGER,
    composition: insideOf("node", runnable),
    execute: async (args, ctx) => {
      const { input, extraVars } = args as {
        readonly input: string | readonly ContentPart[];
        readonly extraVars?: Record<string, unknown>;
      };
      const output = await runNode(
        runnable,
        readPlain(input),
        ctx,
        extraVars === undefined ? {} : { extraVars: { ...ctx.runOptions.extraVars, ...extraVars } },
      );
      return nestedRun(output, () => {
        answerOf(output);
        return { text: output.text, ...(output.structured !== undefined && { structured: output.structured }) };
      });
    },
    toModelOutput: (output) => JSON.stringify(output),
  };
}
