import { Agent, tool } from "@bailiwick/agent";
import { openai } from "@bailiwick/providers-openai";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { z } from "zod";

const cancelOrder = tool({
  name: "cancel_order",
  description: "Cancels an order by its number.",
  inputSchema: z.object({ order: z.string() }),
  sideEffectClass: "external-stateful",
  idempotencyKey: "call",
  needsApproval: true,
  execute: ({ order }) => ({ order, status: "cancelled" }),
});

function open() {
  const store = sqliteStore({ path: process.env["DATA"] ?? "./orders.db" });
  const agent = new Agent({
    name: "orders",
    instructions: "You help with orders.",
    model: openai("gpt-5.5"),
    tools: [cancelOrder],
    store,
    session: store.sessions,
  });
  return { agent, store };
}

// One for the process: Next loads this module for pages and for routes.
const holder = globalThis as { orders?: ReturnType<typeof open> };

/** Opens the store with the first request: a build opens none. */
export const orders = (): ReturnType<typeof open> => (holder.orders ??= open());

/** The user of a request. Read your own session here; `null` refuses. */
export async function userOf(_request?: Request): Promise<string | null> {
  return "ana";
}
