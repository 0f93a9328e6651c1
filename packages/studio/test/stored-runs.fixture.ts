import { Agent, env, tool } from "@bailiwick/agent";
import type { PostgresStore } from "@bailiwick/store-postgres";
import type { SqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel } from "@bailiwick/testing";
import { schedule } from "@bailiwick/worker";
import { z } from "zod";
import { shopAgent } from "../src/http/shop.fixture.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const prices = { "scripted/scripted-1": { input: 1_000, output: 2_000 } } as const;

const readOrder = tool({
  name: "read_order",
  description: "Reads an order.",
  inputSchema: z.object({ orderId: z.string() }),
  sideEffectClass: "read-only",
  output: { integrity: "verified" },
  execute: ({ orderId }) => ({
    orderId,
    total: 249,
    currency: "EUR",
    lines: Array.from({ length: 60 }, (_, index) => ({ article: `A-${index}`, pieces: index })),
    remark: `Left at the neighbours. ${"Word ".repeat(400)}`,
  }),
});

const refund = tool({
  name: "refund_order",
  description: "Refunds an order to the card it was paid with.",
  inputSchema: z.object({ orderId: z.string(), amount: z.number().min(1).max(500), express: z.boolean() }),
  sideEffectClass: "external-stateful",
  idempotencyKey: "call",
  needsApproval: true,
  secretsAllowed: ["SHOP_KEY"],
  execute: ({ amount }) => `Refunded ${amount} EUR.`,
});

/** A planner that says that the words ask for a refund, whatever its values. */
const asksForRefund = scriptedModel(() => JSON.stringify({ grants: [{ tool: "refund_order", args: [] }] }));

/** An agent that asks for approval of one refund in each run. */
export function refundAgent(store: SqliteStore): Agent {
  return new Agent({
    name: "refunds",
    model: scriptedModel(({ toolResults }) =>
      toolResults.length > 0
        ? "Refunded."
        : { toolCalls: [{ name: "refund_order", arguments: { orderId: "FH-1", amount: 20, express: false } }] },
    ),
    tools: [refund],
    secrets: env({ from: { SHOP_KEY: "a-key-of-the-test" } }),
    store,
    logger: quiet,
  });
}

const failing = tool({
  name: "look_up_parcel",
  description: "Looks up a parcel.",
  inputSchema: z.object({ parcel: z.string() }),
  sideEffectClass: "read-only",
  execute: () => {
    throw new Error("The carrier does not answer.");
  },
});

const ask = tool({
  name: "ask_colleague",
  description: "Asks a colleague.",
  inputSchema: z.object({ about: z.string() }),
  sideEffectClass: "read-only",
  execute: async ({ about }, ctx) =>
    `Colleague: ${await ctx.ask({ question: `What about ${about}?`, schema: z.string() })}`,
});

/** Agents other than the desk's, each with runs in the store: done, nested, failed, and waiting for a person. */
export async function storeRuns(store: SqliteStore | PostgresStore): Promise<readonly Agent[]> {
  const carrier = new Agent({
    name: "carrier",
    description: "Finds parcels.",
    model: scriptedModel([{ toolCalls: [{ name: "look_up_parcel", arguments: { parcel: "P-1" } }] }, "It is lost."]),
    tools: [failing],
    prices,
    store,
    logger: quiet,
  });
  const says = (steps: Parameters<typeof scriptedModel>[0], name: string) =>
    new Agent({
      name,
      model: scriptedModel(steps),
      tools: [
        readOrder,
        refund,
        ask,
        carrier.asTool({ name: "ask_carrier", inputSchema: z.object({ parcel: z.string() }) }),
      ],
      prices,
      flow: { mode: "enforce", planner: asksForRefund },
      secrets: env({ from: { SHOP_KEY: "a-key-of-the-test" } }),
      store,
      logger: quiet,
    });
  const refunds = says(
    [
      { toolCalls: [{ name: "read_order", arguments: { orderId: "FH-10191" } }] },
      { toolCalls: [{ name: "refund_order", arguments: { orderId: "FH-10191", amount: 249, express: false } }] },
      "Refunded.",
    ],
    "refunds",
  );
  const parcels = says(
    [
      {
        toolCalls: [
          { name: "ask_carrier", arguments: { parcel: "P-1" } },
          { name: "read_order", arguments: { orderId: "FH-2" } },
        ],
      },
      "## Your parcel\n\n| order | state |\n| --- | --- |\n| FH-2 | **lost** |\n\n- We are sorry.\n\n![pixel](https://track.example/p.png) [bank](javascript:alert(1)) <img src=x onerror=alert(1)>",
    ],
    "parcels",
  );
  const questions = says(
    [{ toolCalls: [{ name: "ask_colleague", arguments: { about: "the invoice" } }] }, "Thanks."],
    "questions",
  );
  const shop = shopAgent(store);
  await parcels.run("Where is my parcel P-1? It should have been here on Monday.", { userId: "grace" });
  await says([], "questions")
    .run("This run fails, because its model has nothing to say.")
    .catch(() => undefined);
  await questions.run("أين فاتورتي؟ Please ask a colleague about the invoice.", { userId: "omar" });
  await refunds.run("Please refund my order FH-10191, the rucksack tore after a week.", { userId: "ada" });
  await shop.run("Handle my newest mail.", { userId: "ada" });
  await schedule({ id: "morning-digest", agent: refunds, cron: "0 7 * * *", input: "Write the digest." });
  await store.memories.put({
    id: "m1",
    kind: "semantic",
    text: "Ada wants her parcels at the neighbour's door.",
    name: "delivery",
    scope: { tenantId: undefined, userId: undefined },
    label: { integrity: "untrusted", readers: ["user:ada"] },
    validFrom: 1,
    recordedAt: 1_790_000_000_000,
    source: { runId: "r1", seq: 3 },
  });
  return [refunds, parcels, questions, carrier, shop];
}
