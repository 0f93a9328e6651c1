import { join } from "node:path";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { createDeskAgent, type DeskAgent } from "./agent/desk-agent.ts";
import { openModel } from "./agent/model.ts";
import { createRunRows, type RunRows } from "./agent/run-rows.ts";
import type { DeskConfig } from "./desk-api.ts";
import { openMailbox, type Mailbox } from "./mailbox/mailbox.ts";
import type { Settings } from "./settings.ts";
import { openDatabase } from "./shop/database.ts";
import { openShop, type Shop } from "./shop/shop.ts";

/** An open desk: its data, its model and its agent. */
export interface Desk extends AsyncDisposable {
  readonly config: DeskConfig;
  readonly shop: Shop;
  readonly mailbox: Mailbox;
  readonly agent: DeskAgent;
  readonly runs: RunRows;
}

/**
 * Opens the desk that the settings describe. Several processes may have the same one open.
 *
 * @param settings - As {@link readSettings} gives them.
 * @throws DatabaseUnavailable - the data folder can't be used.
 */
export async function openDesk(settings: Settings): Promise<Desk> {
  const database = openDatabase(join(settings.dataFolder, "desk.db"));
  const shop = openShop(database);
  const mailbox = openMailbox(database);
  const store = sqliteStore({ path: join(settings.dataFolder, "runs.db") });
  const { model, shown, close } = await openModel(settings.model);
  const agent = createDeskAgent({ shop, mailbox, approvalLimit: settings.approvalLimit }, model, store);
  return {
    config: { model: shown, approvalLimit: settings.approvalLimit },
    shop,
    mailbox,
    agent,
    runs: createRunRows(store, (runId) => agent.interruptions(runId)),
    async [Symbol.asyncDispose]() {
      await close();
      await store.close?.();
      database.close();
    },
  };
}
