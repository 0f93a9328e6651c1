import { memoryStore, type ModelProvider, type RunStore } from "@bailiwick/core";
import { openai } from "@bailiwick/providers-openai";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { modelServer } from "@bailiwick/testing/model-server";
import { type Script } from "@bailiwick/testing";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent, tool, type RunOutput, type Tool } from "../../src/index.ts";

/** Objects that the runs of a soak share, like the runs of a service. */
export interface World extends AsyncDisposable {
  readonly agents: Readonly<Record<"in memory" | "in a file" | "without a store", SoakAgent>>;
  /** The caller's signal, which outlives every run. */
  readonly controller: AbortController;
  /** Removes data that a service would delete in time. */
  forget(runId: string): Promise<void>;
  /** Ends as many runs as an agent without a store keeps. */
  fill(): Promise<void>;
}

/** One scenario of a run. Returns the objects that the caller would release. */
export type Scenario = (agent: SoakAgent, signal: AbortSignal) => Promise<RunOutput>;

const lookup: Tool = tool({
  name: "lookup",
  description: "Looks up an order.",
  inputSchema: z.object({ id: z.string() }),
  sideEffectClass: "read-only",
  execute: ({ id }) => ({ id, lines: Array.from({ length: 50 }, (_, line) => `line ${line} of ${id}`) }),
});
const refund: Tool = tool({
  name: "refund",
  description: "Refunds an order.",
  inputSchema: z.object({ id: z.string() }),
  sideEffectClass: "external-stateful",
  idempotencyKey: "call",
  // Simulates a day: a ledger drops keys after some time, and a soak is too short for that.
  idempotencyTtlMs: 1,
  needsApproval: true,
  execute: ({ id }) => `refunded ${id}`,
});
const stuck: Tool = tool({
  name: "stuck",
  description: "Hangs until it is stopped.",
  inputSchema: z.object({}),
  sideEffectClass: "read-only",
  execute: (_, { abortSignal }) =>
    new Promise<string>((_resolve, reject) => {
      abortSignal.addEventListener("abort", () => reject(abortSignal.reason as Error), { once: true });
    }),
});

type SoakAgent = Agent;

/** The model's action for each input. */
const script: Script = ({ lastUserText, toolResults }) => {
  if (toolResults.length > 0) return "Done.";
  if (lastUserText.includes("look up")) return { toolCalls: [{ name: "lookup", arguments: { id: "1042" } }] };
  if (lastUserText.includes("refund")) return { toolCalls: [{ name: "refund", arguments: { id: "1042" } }] };
  if (lastUserText.includes("hang")) return { toolCalls: [{ name: "stuck" }] };
  if (lastUserText.includes("fail")) return { faults: { error: { status: 400 } } };
  return "A long answer. ".repeat(40);
};

/** Scenarios that cover every outcome of a run, by name. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  answered: (agent, signal) => agent.run("Please look up 1042.", { signal }),
  streamed: async (agent, signal) => {
    const handle = agent.stream("Tell me a story.", { signal });
    for await (const _ of handle);
    return handle.result;
  },
  "left early": async (agent, signal) => {
    const handle = agent.stream("Tell me a story.", { signal });
    for await (const event of handle) if (event.type === "text") break;
    return handle.result;
  },
  cancelled: async (agent, signal) => {
    const handle = agent.stream("Please hang.", { signal });
    for await (const event of handle) if (event.type === "tool.call") await agent.cancel(handle.runId);
    return handle.result;
  },
  aborted: async (agent) => {
    const own = new AbortController();
    const handle = agent.stream("Please hang.", { signal: own.signal });
    for await (const event of handle) if (event.type === "tool.call") own.abort();
    return handle.result;
  },
  "suspended and resumed": async (agent, signal) => {
    const first = await agent.run("Please refund 1042.", { signal });
    return agent.resume(
      first.runId,
      first.interruptions.map((interruption) => interruption.approve()),
      { signal },
    );
  },
  failed: (agent, signal) =>
    agent.run("Please fail.", { signal }).then(
      () => {
        throw new Error("The vendor was to refuse.");
      },
      (error: { readonly output: RunOutput }) => error.output,
    ),
};

/** Opens a world: a vendor over HTTP, a store in memory, one in a file, and an agent on each. */
export async function openWorld(): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), "soak-"));
  const server = await modelServer(script, { keepRequests: 0 });
  // In the Responses API the server itself remembers each item that it returned in this process.
  const model: ModelProvider = openai("gpt-5.5", { api: "chat", apiKey: "test", baseURL: server.baseURL("openai") });
  const inMemory = memoryStore();
  const inFile = sqliteStore({ path: join(folder, "soak.db") });
  const tools: readonly Tool[] = [lookup, refund, stuck];
  const on = (store?: RunStore): SoakAgent =>
    new Agent({
      name: "soak",
      model,
      tools,
      retry: { initialDelayMs: 1 },
      logger: quiet,
      store,
      flow: "off",
    });
  const bare = on();
  const controller = new AbortController();
  return {
    agents: { "in memory": on(inMemory), "in a file": on(inFile), "without a store": bare },
    controller,
    forget: async (runId) => void (await inMemory.deleteRun(runId)),
    async fill() {
      for (let run = 0; run < 100; run += 1) await bare.run("Hello.");
    },
    async [Symbol.asyncDispose]() {
      await inFile.close?.();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
