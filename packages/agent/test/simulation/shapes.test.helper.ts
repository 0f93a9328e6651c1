import {
  Agent,
  clientTool,
  type memoryStore,
  tool,
  type AgentOptions,
  type Tool,
  type ToolExecutionContext,
} from "@bailiwick/agent";
import { loop, map, parallel, pipeline, route } from "@bailiwick/agent/compose";
import {
  receiver,
  simulatedModel,
  simulation,
  type App,
  type Receiver,
  type Simulation,
  type SimulationOptions,
} from "@bailiwick/testing/simulation";
import { worker } from "@bailiwick/worker";
import { z } from "zod";

type Store = ReturnType<typeof memoryStore>;

/** How a tool waits before its effect, and how its effect is protected. */
type Kind = "plain" | "approval" | "question" | "client" | "sleep" | "keyed" | "lookup";

/** Counts what the tools of the shapes do. */
const outside: Receiver = receiver("https://outside.example", {
  "POST /acts": ({ body, headers }, { effect }) => effect("act", body["id"], { key: headers["idempotency-key"] }),
  "GET /acts/:key": ({ params }, { effects }) => effects.find(params["key"]) ?? { status: 404 },
});

async function send(id: string, key?: string): Promise<string> {
  const answer = await fetch("https://outside.example/acts", {
    method: "POST",
    headers: key === undefined ? {} : { "idempotency-key": key },
    body: JSON.stringify({ id }),
  });
  if (!answer.ok) throw new Error(`The act was refused: ${answer.status}`);
  return answer.text();
}

async function waitFirst(kind: Kind, ctx: ToolExecutionContext): Promise<void> {
  if (kind === "question") await ctx.ask({ question: "Which one?", schema: z.string() });
  if (kind === "sleep") await ctx.sleep({ ms: 2_000 });
}

function actTool(name: string, kind: Kind): Tool {
  const isKeyed = kind === "keyed" || kind === "lookup";
  return tool({
    name: "act",
    description: "Acts.",
    inputSchema: z.object({ id: z.string() }),
    sideEffectClass: "external-stateful",
    ...(kind === "approval" && { needsApproval: true }),
    ...(kind === "keyed" && { idempotencyKey: "call" as const }),
    ...(kind === "lookup" && {
      idempotencyKey: "call" as const,
      lookup: async (key: string) => {
        const found = await fetch(`https://outside.example/acts/${encodeURIComponent(key)}`);
        return found.ok ? ({ status: "done", output: await found.text() } as const) : ({ status: "absent" } as const);
      },
    }),
    execute: async ({ id }, ctx) => {
      await waitFirst(kind, ctx);
      return send(`${name}-${id}`, isKeyed ? ctx.idempotencyKey : undefined);
    },
  });
}

/** The agents of one shape: each leaf acts once for each number of its input. */
function leaf(name: string, store: Store, kind: Kind = "plain", more: Partial<AgentOptions> = {}): Agent {
  const pick = clientTool({
    name: "pick",
    description: "Picks.",
    inputSchema: z.object({}),
    outputSchema: z.string(),
    sideEffectClass: "read-only",
  });
  const model = simulatedModel(({ lastUserText, messages, toolResults }) => {
    const id = /\d+/.exec(lastUserText)?.[0] ?? "0";
    const called = messages.flatMap(({ toolCalls }) => toolCalls.map((call) => call.name));
    if (kind === "client" && !called.includes("pick")) return { toolCalls: [{ name: "pick", arguments: {} }] };
    if (toolResults.some(({ toolName }) => toolName === "act")) return `Done ${id}.`;
    return { toolCalls: [{ name: "act", arguments: { id } }] };
  });
  return new Agent({
    name,
    model,
    store,
    leaseMs: 3_000,
    flow: "off",
    tools: [actTool(name, kind), ...(kind === "client" ? [pick] : [])],
    ...more,
  });
}

/** An agent that calls one tool with the number of its input. */
function calling(name: string, store: Store, toolName: string, more: Partial<AgentOptions>): Agent {
  const model = simulatedModel(({ lastUserText, toolResults }) => {
    const id = /\d+/.exec(lastUserText)?.[0] ?? "0";
    if (toolResults.length > 0) return `Done ${id}.`;
    const args = toolName.startsWith("transfer") ? {} : { input: `Do ${id}.` };
    return { toolCalls: [{ name: toolName, arguments: args }] };
  });
  return new Agent({ name, model, store, leaseMs: 3_000, flow: "off", ...more });
}

const options = (name: string, store: Store) => ({ name, store, leaseMs: 3_000 });
const nested = (store: Store, kind: Kind): Agent =>
  calling("outer", store, "inner", { tools: [leaf("inner", store, kind).asTool()] });
const handing = (store: Store, kind: Kind): Agent =>
  calling("front", store, "transfer_to_inner", { handoffs: [leaf("inner", store, kind)] });

/** Functions that make an app's agent, by shape. */
const agents: Readonly<Record<string, (store: Store) => App["agents"][number]>> = {
  "an agent": (store) => leaf("a", store),
  "an agent with approvals": (store) => leaf("a", store, "approval"),
  "an agent with questions": (store) => leaf("a", store, "question"),
  "an agent with client tools": (store) => leaf("a", store, "client"),
  "an agent that sleeps": (store) => leaf("a", store, "sleep"),
  "an agent with idempotency keys": (store) => leaf("a", store, "keyed"),
  "an agent with a lookup": (store) => leaf("a", store, "lookup"),
  "nested agents": (store) => nested(store, "plain"),
  "nested agents with approvals": (store) => nested(store, "approval"),
  "a handoff": (store) => handing(store, "plain"),
  "a handoff with questions": (store) => handing(store, "question"),
  "a pipeline": (store) => pipeline(options("line", store), leaf("a", store), leaf("b", store)),
  "a pipeline that sleeps": (store) => pipeline(options("line", store), leaf("a", store, "sleep"), leaf("b", store)),
  "parallel agents with approvals": (store) =>
    parallel(options("both", store), { a: leaf("a", store, "approval"), b: leaf("b", store) }),
  "a map": (store) =>
    map(
      {
        ...options("each", store),
        items: (input) => [1, 2].map((item) => `Do ${/\d+/.exec(input)?.[0] ?? ""}${item}.`),
      },
      leaf("a", store),
    ),
  "a route": (store) =>
    route(
      { ...options("way", store), choose: (input) => (input.includes("7") ? "a" : "b") },
      { a: leaf("a", store), b: leaf("b", store) },
    ),
  "a loop": (store) =>
    loop({ ...options("again", store), until: (text) => text.length > 0, maxRounds: 2 }, leaf("a", store)),
};

/** Names of the shapes. */
export const shapeNames: readonly string[] = Object.keys(agents);

/** The simulation of a shape. */
export function shape(name: string, more: Partial<SimulationOptions> = {}): Simulation {
  const make = agents[name];
  if (make === undefined) throw new Error(`There is no shape "${name}".`);
  return simulation({
    app: ({ store }) => ({ agents: [make(store as Store)] }),
    drive: worker,
    receivers: [outside],
    work: ["Do 7.", "Do 8."],
    ...more,
  });
}
