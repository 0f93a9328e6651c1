import { Agent, tool, type ModelProvider } from "@bailiwick/agent";
import { openai } from "@bailiwick/providers-openai";
import { sqliteStore, type SqliteStore } from "@bailiwick/store-sqlite";
import { z } from "zod";

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

/** Makes the agent. Tests pass a scripted model and a separate store. */
export function createDesk(model: ModelProvider, store: SqliteStore): Agent {
  return new Agent({
    name: "desk",
    model,
    instructions: "You help customers with their orders.",
    tools: [getOrder, refund],
    store,
    session: store.sessions,
  });
}

// One store for the process: Next loads this module again when it changes.
const kept = globalThis as { store?: SqliteStore };

/** Opens the store where runs and chats are kept, and makes the agent. A build calls nothing of this. */
export function openDesk(): { readonly agent: Agent; readonly store: SqliteStore } {
  const store = (kept.store ??= sqliteStore({ path: "./runs.db" }));
  return { agent: createDesk(openai("gpt-5.5"), store), store };
}
