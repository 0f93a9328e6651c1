import { codeMode } from "@bailiwick/compose/code-mode";
import { attempt, loop, map, parallel, pipeline, route } from "../src/compose.ts";
import { handoff, tool, type RunOutput, type Runnable, type Tool } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { z } from "zod";
import { quiet } from "./fixtures.test.helper.ts";
import { Agent } from "../src/index.ts";

type Options = Partial<ConstructorParameters<typeof Agent>[0]>;

/** Tools that need a person: for an approval, and for an answer. */
export const asking: Readonly<Record<string, () => Tool>> = {
  "an approval": () =>
    tool({
      name: "act",
      description: "Pays.",
      inputSchema: z.object({}),
      sideEffectClass: "external-stateful",
      needsApproval: true,
      execute: () => {
        throw new Error("It ran.");
      },
    }),
  "an answer": () =>
    tool({
      name: "act",
      description: "Asks.",
      inputSchema: z.object({}),
      sideEffectClass: "read-only",
      execute: (_input, ctx) => ctx.ask({ question: "Which one?", schema: z.string() }),
    }),
};

/** An agent whose model calls the tool, and then answers. */
export const clerkOf = (act: Tool, options: Options = {}): Agent =>
  new Agent({
    name: "clerk",
    logger: quiet,
    model: scriptedModel(({ messages }) =>
      messages.some(({ toolResult }) => toolResult?.toolName === "act")
        ? "The clerk continues."
        : { toolCalls: [{ name: "act", arguments: {} }] },
    ),
    tools: [act],
    ...options,
  });

/** The tool or the handoff by which an outer agent reaches the clerk. */
export interface Held {
  readonly call: string;
  readonly tools?: readonly Tool[];
  readonly handoffs?: Options["handoffs"];
}

/** A node that would answer after a failure. */
const backup = new Agent({ name: "backup", logger: quiet, model: scriptedModel(() => "The backup answers.") });

const office = { name: "office" } as const;
const compositions: Readonly<Record<string, (clerk: Runnable) => Runnable & { asTool(): Tool }>> = {
  "a pipeline": (clerk) => pipeline(office, clerk, backup),
  "a parallel composition": (clerk) => parallel(office, { clerk, backup }),
  "a route": (clerk) => route({ ...office, choose: () => "clerk" }, { clerk }),
  "a map": (clerk) => map({ ...office, items: (input) => [input] }, clerk),
  "a loop": (clerk) => loop({ ...office, until: () => true, maxRounds: 2 }, clerk),
  "an attempt with a catch": (clerk) => attempt(office, { try: clerk, catch: backup, finally: backup }),
  "a pipeline in an attempt": (clerk) => attempt(office, { try: pipeline({ name: "inner" }, clerk) }),
};

const named = { name: "flow", description: "A flow.", logger: quiet };
/** Compositions of a single agent. */
export const around: Readonly<Record<string, (inner: Agent) => Runnable>> = {
  "a pipeline": (inner) => pipeline(named, inner),
  "a parallel composition": (inner) => parallel(named, { inner }),
  "a map": (inner) => map({ items: () => ["a"], ...named }, inner),
  "a route": (inner) => route({ choose: () => "inner", ...named }, { inner }),
  "a loop": (inner) => loop({ until: () => true, ...named }, inner),
  "an attempt": (inner) => attempt(named, { try: inner }),
};

const toolRunning = (run: (...given: Parameters<Agent["run"]>) => Promise<RunOutput>): Tool =>
  tool({
    name: "office",
    description: "Asks the clerk.",
    inputSchema: z.object({ input: z.string() }),
    sideEffectClass: "read-only",
    execute: async ({ input }, ctx) => {
      const { text } = await run(input, ctx.runOptions);
      return text === "" ? "It said nothing." : text;
    },
  });

/** Ways in which one agent uses another. */
export const holders: Readonly<Record<string, (clerk: Agent) => Held>> = {
  "an agent as a tool": (clerk) => ({ call: "clerk", tools: [clerk.asTool()] }),
  "an agent as a tool with its own output": (clerk) => ({
    call: "clerk",
    tools: [clerk.asTool({ toOutput: ({ status }) => status })],
  }),
  "a handoff": (clerk) => ({ call: "transfer_to_clerk", handoffs: [handoff(clerk)] }),
  "code mode": (clerk) => ({ call: "run_code", tools: [codeMode({ tools: [clerk.asTool()] })] }),
  "a tool that runs it": (clerk) => ({ call: "office", tools: [toolRunning((...given) => clerk.run(...given))] }),
  "a tool that streams it": (clerk) => ({
    call: "office",
    tools: [toolRunning(async (...given) => clerk.stream(...given).result)],
  }),
  ...Object.fromEntries(
    Object.entries(compositions).map(([how, compose]) => [
      how,
      (clerk: Agent): Held => ({ call: "office", tools: [compose(clerk).asTool()] }),
    ]),
  ),
};

function argumentsOf(call: string): object {
  if (call.startsWith("transfer")) return {};
  return call === "run_code"
    ? { code: `try { return await tools.clerk({ input: "Go." }); } catch (error) { return "caught"; }` }
    : { input: "Go." };
}

/** An agent that uses another one. */
export const deskOf = ({ call, ...held }: Held, options: Options = {}): Agent =>
  new Agent({
    name: "desk",
    logger: quiet,
    model: scriptedModel(({ toolResults }) =>
      toolResults.length === 0 ? { toolCalls: [{ name: call, arguments: argumentsOf(call) }] } : "The desk continues.",
    ),
    ...held,
    ...options,
  });
