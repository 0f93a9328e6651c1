import type { SqliteStore } from "@bailiwick/store-sqlite";
import { Agent } from "@bailiwick/agent";
import { z } from "zod";
import { createDeskActions } from "./desk-actions.ts";
import { orderId } from "./fields.ts";
import { deskInstructions } from "./instructions.ts";
import type { OpenModel } from "./model.ts";
import { createParcelAgent } from "./parcel-agent.ts";
import { createDeskTools, type DeskParts } from "./tools.ts";

/**
 * The desk's agent.
 *
 * @param parts - Shop, mailbox and limit.
 * @param opened - What thinks, and what it costs.
 * @param store - Where its runs live.
 */
export function createDeskAgent(parts: DeskParts, opened: Pick<OpenModel, "model" | "prices">, store: SqliteStore) {
  const actions = createDeskActions(parts.shop, parts.mailbox);
  const askParcels = createParcelAgent(actions, opened, store).asTool({
    name: "ask_parcels",
    inputSchema: z.object({ orderId }),
    toInput: (asked) => `Have the carrier look for the parcel of order ${asked.orderId}.`,
  });
  return new Agent({
    name: "desk",
    description: "Handles the mails of a shop's customer service.",
    ...opened,
    instructions: deskInstructions(parts.approvalLimit),
    tools: [...createDeskTools(parts, actions), askParcels],
    // The desk itself computes the grants of each run from the mail, so no planner is needed.
    flow: { mode: "enforce", planner: false },
    store,
    session: store.sessions,
    // A run whose process was killed waits this long for the server.
    leaseMs: 5_000,
  });
}

/** The desk's agent, with its tools' types. */
export type DeskAgent = ReturnType<typeof createDeskAgent>;
