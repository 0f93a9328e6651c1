import { Agent, tool, type ModelProvider } from "@bailiwick/agent";
import { openai } from "@bailiwick/providers-openai";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { z } from "zod";

/** Runs and chats are kept here. */
export const store = sqliteStore({ path: "./runs.db" });

const getOrder = tool({
  name: "get_order",
  description: "Looks up an order.",
  inputSchema: z.object({ orderId: z.string() }),
  sideEffectClass: "read-only",
  // Only this code writes the result. Write "untrusted" where customers or mails do.
  output: { integrity: "verified" },
  execute: ({ orderId }) => ({ orderId, status: "shipped", total: 20 }),
});

const refund = tool({
  name: "refund",
  description: "Pays the price of an order back to the customer.",
  inputSchema: z.object({ orderId: z.string(), amount: z.number().positive() }),
  sideEffectClass: "external-stateful",
  // A person approves each refund.
  needsApproval: true,
  // After a crash the same refund is not paid twice.
  idempotencyKey: ({ orderId }) => `refund:${orderId}`,
  execute: ({ orderId, amount }) => `Refunded ${amount} for order ${orderId}.`,
});

/** Makes the agent; tests pass a scripted model. */
export function createDesk(model: ModelProvider): Agent {
  return new Agent({
    name: "desk",
    model,
    instructions: "You help customers with their orders.",
    tools: [getOrder, refund],
    store,
    session: store.sessions,
  });
}

export const desk: Agent = createDesk(openai("gpt-5.5"));
