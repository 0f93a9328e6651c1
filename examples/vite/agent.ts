import { Agent, tool } from "@bailiwick/agent";
import { openai } from "@bailiwick/providers-openai";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { z } from "zod";

const orders: Record<string, string> = { "1001": "shipped", "1002": "packed" };

const getOrder = tool({
  name: "get_order",
  description: "Gets the status of an order by its number.",
  inputSchema: z.object({ order: z.string() }),
  sideEffectClass: "read-only",
  execute: ({ order }) => ({ order, status: orders[order] ?? "unknown" }),
});

const cancelOrder = tool({
  name: "cancel_order",
  description: "Cancels an order by its number.",
  inputSchema: z.object({ order: z.string() }),
  sideEffectClass: "external-stateful",
  idempotencyKey: "call",
  needsApproval: true,
  execute: ({ order }) => {
    orders[order] = "cancelled";
    return { order, status: "cancelled" };
  },
});

export const store = sqliteStore({ path: process.env["DATA"] ?? "./orders.db" });

export const agent = new Agent({
  name: "orders",
  instructions: "You help with orders.",
  model: openai("gpt-5.5"),
  tools: [getOrder, cancelOrder],
  store,
  session: store.sessions,
});
