import {
  ConfigurationError,
  agentTool,
  checkKnownNames,
  exposeRuntime,
  type AgentRuntime,
  type JsonSchema,
  type PlatformPorts,
  type RunInput,
  type SecretSource,
  type SecretsPort,
  type SecurityPorts,
  type Warning,
} from "@bailiwick/core";
import {
  compileSchema,
  compositionOptions,
  createRuntime,
  inheritedSecrets,
  runtimeOf,
  systemClock,
} from "@bailiwick/core/extension";
import type { Composition, CompositionOptions } from "./composition.ts";
import type { Origin } from "./node-types.ts";
import type { Program } from "./program.ts";
import { programModel } from "./program-model.ts";
import { exposeShape, type Node, type ShapeEdge } from "./shape.ts";
import { checkOrigin, inputCodec } from "./values.ts";

/** The parts of an agent that enforce authority, for the calls of workflows. */
export interface WorkflowHost {
  /** Makes the security ports of a workflow. */
  readonly ports: () => SecurityPorts;
  /** Makes the parts of the platform. */
  readonly platform: () => PlatformPorts;
}

/** Options of a workflow as its functions read them: their types are checked where they are public. */
export type GivenOptions = CompositionOptions & {
  readonly input?: object | undefined;
  readonly origin?: Origin | undefined;
};

/** A workflow before it is made. */
export interface WorkflowPlan {
  /** Name of the function, used if no name is given. */
  readonly kind: string;
  readonly nodes: readonly Node[];
  readonly edges: readonly ShapeEdge[];
  /** Decides the next step. */
  readonly program: Program;
  readonly options: GivenOptions;
  /** The input is a list, and this is the schema of its items, if there is one. */
  readonly list?: { readonly item: object | undefined } | undefined;
}

/**
 * Refuses options that a workflow does not have.
 *
 * @param kind - Name of the function, for the message.
 * @param own - Options of this function, besides those of all workflows.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 */
export function checkOptions(kind: string, options: unknown, ...own: readonly string[]): void {
  if (Array.isArray(options)) {
    const names = options.map((node: unknown) => (node as { readonly name?: unknown } | null)?.name);
    const shown = names.map((name) => (typeof name === "string" && name !== "" ? name : "node"));
    throw new ConfigurationError(
      "INVALID_OPTION",
      `${kind}() takes its options first and then its nodes, not a list: ${kind}({}, ${shown.slice(0, 8).join(", ")}).`,
    );
  }
  const isObject = typeof options === "object" && options !== null;
  if (!isObject || runtimeOf(options as never) !== undefined)
    throw new ConfigurationError(
      "INVALID_OPTION",
      `The options of ${kind}() must be an object, and come before the nodes: ${kind}({ name: "…" }, …).`,
    );
  checkKnownNames(options, [...own, ...compositionOptions, "name", "concurrency", "input", "origin"], `${kind}()`);
  const { input, origin } = options as GivenOptions;
  checkOrigin(kind, origin, input !== undefined);
  if (input === undefined && origin !== undefined && !own.includes("item"))
    throw new ConfigurationError(
      "INVALID_OPTION",
      `${kind}(): "origin" is about the value of "input". Set "input", or mark parts of a message with \`untrusted: true\`.`,
    );
}

/**
 * Makes a workflow of its nodes and the program that calls them.
 *
 * @throws ConfigurationError `EMPTY_COMPOSITION` without a node.
 */
export function compose(plan: WorkflowPlan, host: WorkflowHost): Composition<never> {
  const { kind, nodes, program, list } = plan;
  if (nodes.length === 0)
    throw new ConfigurationError("EMPTY_COMPOSITION", `${kind}() has no nodes. Give it at least one.`);
  const { name = kind, description, concurrency, input, origin, ...settings } = plan.options;
  const schema = list === undefined ? input : list.item;
  const codec =
    input === undefined && list === undefined
      ? undefined
      : inputCodec(`the composition "${name}"`, schema, list !== undefined);
  const asyncNodes = new Map<string, Set<string>>();
  const model = programModel({
    name,
    program,
    codec,
    clock: plan.options.clock ?? systemClock,
    nodes: new Map(nodes.map((node) => [node.name, node])),
    warnings(sessionId = "") {
      const noted = asyncNodes.get(sessionId) ?? [];
      asyncNodes.delete(sessionId);
      return Array.from(noted, (node) => asyncFunction(name, node));
    },
  });
  const noteAsync = (sessionId: string, node: string): void => {
    asyncNodes.set(sessionId, (asyncNodes.get(sessionId) ?? new Set()).add(node));
  };
  const ports = host.ports();
  const secrets = secretsOf(nodes);
  const runtime = createRuntime(
    "composition",
    {
      ...settings,
      name,
      ...(description !== undefined && { description }),
      model,
      tools: nodes.map((node) => node.tool(name, noteAsync)),
      maxTurns: Number.MAX_SAFE_INTEGER,
      loopDetection: false,
      prices: { [`bailiwick/${name}`]: { input: 0, output: 0 } },
      ...(concurrency !== undefined && { toolConcurrency: concurrency }),
      ...(secrets !== undefined && settings.secrets === undefined && { secrets: ofNodes }),
    },
    { ...ports, ...(secrets !== undefined && { secrets: withNodes(ports, secrets) }) },
    host.platform(),
    codec?.check,
  );
  const isOutside = origin !== "own";
  const encode = (value: unknown): RunInput => codec?.encode(value, isOutside) ?? (value as RunInput);
  const refuseMessage = async (): Promise<never> => {
    throw new ConfigurationError(
      "INVALID_INPUT",
      `The composition "${name}" takes a value as its input, so a run takes no further messages. Start a new run.`,
    );
  };
  const composition: Composition<unknown> = {
    ...(runtime as AgentRuntime & Pick<Composition<unknown>, "resume" | "resumeStream" | "replay">),
    run: async (value, options) => runtime.run(encode(value), options),
    stream: (value, options) => runtime.stream(encode(value), options),
    enqueue: async (value, options) => runtime.enqueue(encode(value), options),
    ...(codec !== undefined && { steer: refuseMessage, followUp: refuseMessage }),
    asTool: (options) => {
      const own = codec === undefined ? {} : { inputSchema: argumentsOf(name, schema, list !== undefined), toInput };
      return agentTool(composition as never, { ...own, ...options }) as never;
    },
  };
  const toInput = (args: unknown): RunInput => {
    const value = list === undefined ? args : (args as { readonly items?: unknown }).items;
    return codec?.encode(value, false) ?? (value as RunInput);
  };
  exposeRuntime(composition, runtime);
  exposeShape(composition, { name, kind, nodes, edges: plan.edges, codec });
  return composition as Composition<never>;
}

/** JSON Schema of the arguments of a workflow as a tool: the workflow parses the value itself. */
function argumentsOf(name: string, schema: object | undefined, isList: boolean): JsonSchema {
  const what = `"${isList ? "item" : "input"}" of the composition "${name}"`;
  // A copy: zod's JSON Schema also validates, as the schema that it was made of.
  const one = schema === undefined ? {} : (ownJson(compileSchema(schema, { what }).jsonSchema) as JsonSchema);
  if (!isList) return one;
  return { type: "object", properties: { items: { type: "array", items: one } }, required: ["items"] };
}

function ownJson(value: JsonSchema): unknown {
  return JSON.parse(JSON.stringify(value));
}

function asyncFunction(name: string, node: string): Warning {
  return {
    code: "async_function",
    subject: node,
    message: `The function "${node}" of the composition "${name}" returned a promise, so it may have read outside, and its value counts as untrusted. Use tool() for what reads or writes outside, and a function without promises to compute.`,
  };
}

/** Secrets that the nodes scrub; the workflow scrubs them in its journal and events too. */
function secretsOf(nodes: readonly Node[]): SecretsPort | undefined {
  return nodes.map(({ given }) => runtimeOf(given as never)?.definition.secrets).reduce(inheritedSecrets, undefined);
}

/** The port of secrets, whose result scrubs the secrets of the nodes too. */
function withNodes({ secrets: own }: SecurityPorts, nodes: SecretsPort): NonNullable<SecurityPorts["secrets"]> {
  return (...given) => (given[0] === ofNodes ? nodes : (inheritedSecrets(own?.(...given), nodes) ?? nodes));
}

/** A workflow without the option `secrets` has no tools that may ask for one. */
const ofNodes: SecretSource = {
  name: "nodes",
  has: () => false,
  get: (name) => {
    throw new ConfigurationError(
      "INVALID_OPTION",
      `This composition has no secrets, so "${name}" does not exist. Set its option "secrets", or read it in a tool of one of its agents.`,
    );
  },
};
