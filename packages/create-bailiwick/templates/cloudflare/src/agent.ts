import { Agent, tool, type ModelProvider } from "@bailiwick/agent";
import type { DurableObjectStore } from "@bailiwick/store-durable-objects";
import { z } from "zod";

const getOrder = tool({
  name: "get_order",
  description: "Looks up an order.",
  inputSchema: z.object({ orderId: z.string() }),
  sideEffectClass: "read-only",
  // The result comes from this code alone. Write "untrusted" if customers or mails can change it.
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
  output: { integrity: "verified" },
  // After a crash, the call runs again with the same key: pass ctx.idempotencyKey to your payment service, so that it
  // pays once.
  idempotencyKey: ({ orderId }) => `refund:${orderId}`,
  execute: ({ orderId, amount }) => `Refunded ${amount} for order ${orderId}.`,
});

/** Makes the agent. Tests pass a scripted model and no store, so their runs stay in memory. */
export function createDesk(model: ModelProvider, store?: DurableObjectStore): Agent {
  return new Agent({
    name: "desk",
    model,
    instructions: "You help customers with their orders.",
    tools: [getOrder, refund],
    ...(store === undefined ? {} : { store, session: store.sessions }),
  });
}
