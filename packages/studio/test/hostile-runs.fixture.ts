import { Agent, clientTool, tool } from "@bailiwick/agent";
import type { SqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel } from "@bailiwick/testing";
import { schedule } from "@bailiwick/worker";
import { z } from "zod";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==";
const longName = "customs-clearance-specialist-for-the-european-union";
const longUser = "a-user-with-a-very-long-identifier-4f9a7c1e-2b1d-4a7e-9d7a@customers.example.com";

const calls = (...list: readonly (readonly [string, object])[]) => ({
  toolCalls: list.map(([name, args]) => ({ name, arguments: args })),
});

const label = tool({
  name: "label_ticket",
  description: "Labels a ticket.",
  inputSchema: z.object({ ticket: z.string(), label: z.string() }),
  sideEffectClass: "external-stateful",
  idempotencyKey: "call",
  needsApproval: true,
  execute: () => "Labelled.",
});

const exportLedger = tool({
  name: "export_ledger",
  description: "Exports the ledger.",
  inputSchema: z.object({}),
  sideEffectClass: "read-only",
  output: { integrity: "verified" },
  execute: () => ({
    rows: Array.from({ length: 400 }, (_, index) => ({
      id: `tx_${index}`,
      memo: "A long memo ".repeat(20),
      deep: [[1]],
    })),
  }),
});

const chart = tool({
  name: "render_chart",
  description: "Renders a chart.",
  inputSchema: z.object({}),
  sideEffectClass: "read-only",
  output: { integrity: "verified" },
  execute: () => "done",
  toModelOutput: () => [{ type: "image", data: pixel, mimeType: "image/png" }],
});

const failing = tool({
  name: "query_warehouse",
  description: "Queries the warehouse.",
  inputSchema: z.object({ sql: z.string() }),
  sideEffectClass: "read-only",
  execute: () => {
    throw new Error(`ECONNREFUSED 10.2.33.7:5432 while it ran ${"x".repeat(300)}`);
  },
});

const visit = tool({
  name: "ask_guest",
  description: "Asks the guest.",
  inputSchema: z.object({}),
  sideEffectClass: "read-only",
  execute: (_args, ctx) =>
    ctx.ask({
      question: "When do you come, and how many are you?",
      schema: z.object({ day: z.string(), people: z.number() }),
    }),
});

const discount = tool({
  name: "ask_colleague",
  description: "Asks a colleague.",
  inputSchema: z.object({}),
  sideEffectClass: "read-only",
  execute: (_args, ctx) =>
    ctx.ask({
      question: "May the customer get the discount?",
      schema: z.enum(["yes", "no", "only for customers with a contract that began before 2024"]),
    }),
});

const screenshot = clientTool({
  name: "take_screenshot",
  description: "Takes a screenshot.",
  inputSchema: z.object({ selector: z.string() }),
  outputSchema: z.object({ width: z.number() }),
  sideEffectClass: "read-only",
});

/** Forty tools with long names, few of them declared. */
const many = Array.from({ length: 40 }, (_, index) =>
  tool({
    name: `mcp__atlassian_cloud_production__search_issues_${index}`,
    description: "Searches.",
    inputSchema: z.object({ query: z.string() }),
    execute: () => "none",
  }),
);

/**
 * Agents and runs that strain a page: long names and texts, nested agents, forty tools, errors, images, waits of each
 * kind.
 */
export async function storeHostileRuns(store: SqliteStore): Promise<readonly Agent[]> {
  const base = { store, logger: quiet, flow: "off" } as const;
  const says = (first: object, last: string) =>
    scriptedModel(({ toolResults }) => (toolResults.length > 0 ? last : first));
  const inner = new Agent({
    ...base,
    name: longName,
    model: says(calls(["query_warehouse", { sql: "select 1" }]), "The parcel is held."),
    tools: [failing],
  });
  const middle = new Agent({
    ...base,
    name: "carrier",
    model: says(calls(["ask_customs", { input: "Parcel 00340434161094042557" }]), "It is held at customs."),
    tools: [inner.asTool({ name: "ask_customs" })],
  });
  const outer = new Agent({
    ...base,
    name: "operations",
    model: scriptedModel(({ lastUserText, toolResults }) => {
      if (toolResults.length > 0) return "تم العثور على طلبك **FH-2291**.";
      if (lastUserText.startsWith("nested"))
        return calls(["ask_carrier", { input: "Where is parcel 00340434161094042557?" }]);
      if (lastUserText.startsWith("label"))
        return calls(
          ...[1, 2, 3].map(
            (ticket) => ["label_ticket", { ticket: `T-${ticket}`, label: "damaged in transport" }] as const,
          ),
        );
      if (lastUserText.startsWith("ledger")) return calls(["export_ledger", {}], ["render_chart", {}]);
      if (lastUserText.startsWith("visit")) return calls(["ask_guest", {}]);
      if (lastUserText.startsWith("discount")) return calls(["ask_colleague", {}]);
      return calls(["take_screenshot", { selector: "#cart > div.total" }]);
    }),
    tools: [middle.asTool({ name: "ask_carrier" }), label, exportLedger, chart, visit, discount, screenshot, ...many],
  });
  await outer.run("nested: where is my parcel?", { userId: longUser });
  for (const input of [
    "label the tickets",
    `ledger ${"I have been waiting for weeks. ".repeat(60)}`,
    "visit",
    "discount",
    "screenshot",
  ])
    await outer.run(input, { userId: "عمر" });
  await new Agent({ ...base, name: "nightly-report", model: scriptedModel([]) })
    .run("Write it.")
    .catch(() => undefined);
  for (const [index, state] of (["stuck", "queued"] as const).entries()) {
    const holder = { owner: "writer", ttlMs: 60_000 };
    const input = "Reconcile the ledger of each warehouse with the list of the carrier, and write to each customer";
    const record = {
      id: `held-${index}`,
      agentId: "operations",
      definitionHash: "d",
      sessionId: `s-${index}`,
      userId: longUser,
      input,
    };
    const { lease } = await store.create(record, holder);
    if (lease !== undefined)
      await store.release(lease, state === "stuck" ? { state } : { state, dueAt: Date.now() + 7_200_000 });
  }
  await schedule({
    id: "reconcile-the-ledger-of-every-warehouse",
    agent: outer,
    cron: "15 3 1 */3 *",
    input: "Reconcile.",
  });
  return [outer, middle, inner];
}
