import {
  ConfigurationError,
  ToolError,
  toolReturn,
  type ContentPart,
  type JsonSchema,
  type JsonValue,
  type Runnable,
  type Tool,
} from "@bailiwick/core";
import {
  answerOf,
  insideOf,
  isToolReturn,
  isThenable,
  nestedRun,
  readPlain,
  runNode,
  runtimeOf,
  toolNameOf,
  withSource,
} from "@bailiwick/core/extension";
import { forPrograms } from "../program-tools.ts";
import { shapeOf, type Node } from "./shape.ts";
import type { FunctionContext, NodeFunction } from "./node-types.ts";
import { checkedValue, invalidValue, textOfValue } from "./values.ts";

const agentArguments: JsonSchema = {
  type: "object",
  properties: { input: {}, extraVars: { type: "object" } },
  required: ["input"],
};

const functionArguments: JsonSchema = { type: "object", properties: { value: {} }, required: ["value"] };

/**
 * Makes a node.
 *
 * @param kind - Name of the workflow's function, for the message.
 * @param place - Place of the node in the workflow.
 * @param name - Name for an agent, a workflow or a function without an own name.
 * @throws ConfigurationError `INVALID_OPTION` for any other value.
 */
export function nodeOf(kind: string, place: string, given: unknown, name?: string): Node {
  if (typeof given === "function") return functionNode(given as NodeFunction<never, unknown>, name ?? given.name);
  if (isTool(given)) return toolNode(given);
  if (isRunnable(given) && runtimeOf(given) !== undefined) return runnableNode(given, name);
  throw new ConfigurationError(
    "INVALID_OPTION",
    `${kind}(): ${place}${described(given)} is not a node. Pass an agent, a composition, a tool, or a function that calls it.`,
  );
}

function described(given: unknown): string {
  const { name } = (given ?? {}) as { readonly name?: unknown };
  return typeof name === "string" && name !== "" ? ` ("${name.slice(0, 64)}")` : "";
}

function isTool(given: unknown): given is Tool {
  const { name, inputSchema, execute } = (given ?? {}) as Partial<Tool>;
  return typeof name === "string" && inputSchema !== undefined && execute !== undefined;
}

function isRunnable(given: unknown): given is Runnable {
  const { name, run } = (given ?? {}) as Partial<Runnable>;
  return typeof name === "string" && typeof run === "function";
}

function runnableNode(runnable: Runnable, name = toolNameOf(runnable.name)): Node {
  const shape = shapeOf(runnable);
  const codec = shape?.codec;
  return {
    name,
    kind: shape === undefined ? "agent" : "composition",
    given: runnable,
    shape,
    argumentsOf: ({ value, content }, extraVars) => ({
      // A workflow inside takes the label of the value, so its own `origin` does not count.
      input:
        codec === undefined ? (content ?? textOfValue(value)) : (codec.encode(value, false) as unknown as JsonValue),
      ...(extraVars !== undefined && { extraVars }),
    }),
    tool: (where) =>
      withSource(
        {
          name,
          description: runnable.description ?? `Runs "${runnable.name}".`,
          inputSchema: agentArguments,
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
            return nestedRun(output, () => checkedValue(answerOf(output), `${where}.${name}`));
          },
          toModelOutput: (output) => JSON.stringify(output),
        },
        { kind: "built-in", subsystem: "composition" },
      ),
  };
}

function toolNode(tool: Tool, name: string = tool.name): Node {
  return {
    name,
    kind: "tool",
    given: tool,
    argumentsOf: ({ value }) => value,
    tool: (where) =>
      forPrograms(checked({ ...tool, name }, `${where}.${name}`), (output) => JSON.stringify(output) ?? "null"),
  };
}

/** A tool whose result is refused where it returns, if it holds media. */
function checked(tool: Tool, where: string): Tool {
  const { execute, composition, runsOn } = tool;
  if (typeof execute !== "function" || composition !== undefined || runsOn !== undefined) return tool;
  const check = (returned: unknown): unknown => {
    if (!isToolReturn(returned) || (returned.contentParts ?? []).length === 0) return returned;
    throw new ToolError(
      `${invalidValue}: The value of ${where} has images or files, which cannot be passed to a node. Return their address or their id.`,
      { recoverable: false },
    );
  };
  return {
    ...tool,
    execute: (input, ctx) => {
      const returned = execute(input, ctx);
      return isThenable(returned) ? Promise.resolve(returned).then(check) : check(returned);
    },
  };
}

/** A function runs as a pure tool: its answer has the label of all that the workflow has read. */
function functionNode(run: NodeFunction<never, unknown>, name: string): Node {
  return {
    name: toolNameOf(name),
    kind: "function",
    given: run,
    argumentsOf: ({ value }) => ({ value }),
    tool: (where, noteAsync) =>
      withSource(
        {
          name: toolNameOf(name),
          description: `Runs the function "${name}".`,
          inputSchema: functionArguments,
          sideEffectClass: "pure",
          maxResultTokens: Number.MAX_SAFE_INTEGER,
          execute: (args, ctx) => {
            const { value } = args as { readonly value: never };
            const { ask, sleep, signal, runId, logger } = ctx;
            const own: FunctionContext = { ask, sleep, signal, runId, logger };
            const returned = run(value, Object.freeze(own));
            const check = (answer: unknown): JsonValue => checkedValue(answer, `${where}.${toolNameOf(name)}`);
            if (!isThenable(returned)) return check(returned);
            noteAsync(ctx.sessionId, name);
            // A function that waits may have read outside.
            return Promise.resolve(returned).then((answer) =>
              toolReturn({ output: check(answer), label: { integrity: "untrusted" } }),
            );
          },
          toModelOutput: (output) => JSON.stringify(output),
        },
        { kind: "built-in", subsystem: "composition" },
      ),
  };
}

/** Nodes with equal names get numbers, in their order. */
export function numbered(nodes: readonly Node[]): readonly Node[] {
  const taken = new Set<string>();
  return nodes.map((node) => {
    let { name } = node;
    for (let count = 2; taken.has(name); count += 1) name = `${node.name}_${count}`;
    taken.add(name);
    return name === node.name ? node : renamed(node, name);
  });
}

function renamed(node: Node, name: string): Node {
  if (node.kind === "tool") return toolNode(node.given as Tool, name);
  if (node.kind === "function") return functionNode(node.given as NodeFunction<never, unknown>, name);
  return runnableNode(node.given as Runnable, name);
}

/**
 * The nodes of an object, by the name that the author gave them. A tool keeps its own name in the run, for grants,
 * approvals and keys.
 *
 * @throws ConfigurationError `INVALID_OPTION` for a value that is not an object of nodes.
 */
export function nodesByName(kind: string, given: unknown): ReadonlyMap<string, Node> {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new ConfigurationError(
      "INVALID_OPTION",
      `${kind}() takes nodes by name after its options: ${kind}(options, { first: oneAgent, second: otherAgent }).`,
    );
  const entries = Object.entries(given);
  const nodes = numbered(entries.map(([name, node]) => nodeOf(kind, `the node "${name}"`, node, name)));
  return new Map(entries.flatMap(([name], index) => (nodes[index] === undefined ? [] : [[name, nodes[index]]])));
}
