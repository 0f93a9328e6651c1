import { Agent, tool } from "@bailiwick/agent";
import type { SqliteStore } from "@bailiwick/store-sqlite";
import { z } from "zod";
import type { DeskActions } from "./desk-actions.ts";
import { orderId } from "./fields.ts";
import type { OpenModel } from "./model.ts";

/**
 * The specialist for lost parcels. The desk's agent calls it with a tool; questions for a person appear on the desk's
 * run.
 *
 * @param actions - What can be done.
 * @param opened - What thinks, and what it costs.
 * @param store - Where its runs live: the desk's own.
 */
export function createParcelAgent(
  actions: DeskActions,
  { model, prices }: Pick<OpenModel, "model" | "prices">,
  store: SqliteStore,
) {
  return new Agent({
    name: "parcels",
    description: "Has a carrier look for a parcel that did not arrive. Give it the order's number.",
    model,
    prices,
    instructions:
      "You look after lost parcels of the shop Fernhollow. Look the order up with find_order. If it was shipped or is marked as delivered, " +
      "file a claim with file_claim. Say in one sentence what you did.",
    tools: [
      tool({
        name: "find_order",
        description: "Finds an order by its number: status, carrier and tracking. order is null when there is none.",
        inputSchema: z.object({ orderId }),
        sideEffectClass: "read-only",
        output: { integrity: "verified", fields: { "order.customerName": { integrity: "untrusted" } } },
        execute: (input) => actions.findOrder(input),
      }),
      tool({
        name: "file_claim",
        description: "Files a claim for a lost parcel with its carrier. It binds the shop: a person approves each.",
        inputSchema: z.object({ orderId, statement: z.string().min(3).max(500) }),
        sideEffectClass: "external-stateful",
        needsApproval: true,
        flow: { authority: ["orderId"], payload: ["statement"] },
        output: { integrity: "verified" },
        idempotencyKey: ({ orderId: order }) => `claim:${order.toUpperCase()}`,
        execute: (input) => actions.fileClaim(input),
      }),
    ],
    flow: { mode: "enforce", planner: false },
    store,
    leaseMs: 5_000,
  });
}
