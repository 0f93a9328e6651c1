import { join } from "node:path";
import type { RunOptions } from "@bailiwick/core";
import { sqliteStore, type SqliteStore } from "@bailiwick/store-sqlite";
import { createDeskAgent, type DeskAgent } from "./agent/desk-agent.ts";
import { registerProcess, type DeskProcesses } from "./agent/desk-processes.ts";
import { grantsForMail } from "./agent/grants.ts";
import { sessionOfMail } from "./agent/mail-session.ts";
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
  /** The store of its runs. */
  readonly store: SqliteStore;
  readonly runs: RunRows;
  readonly processes: DeskProcesses;
  /**
   * Returns the options that start a run about a mail.
   *
   * @throws MailboxError - `MAIL_NOT_FOUND`.
   */
  runOptions(mailId: string): Pick<RunOptions, "sessionId" | "metadata" | "grants">;
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
  const processes = registerProcess(settings.dataFolder);
  const store = sqliteStore({ path: join(settings.dataFolder, "runs.db") });
  const { model, shown, prices, close } = await openModel(settings.model);
  const parts = { shop, mailbox, approvalLimit: settings.approvalLimit };
  const agent = createDeskAgent(parts, { model, prices }, store);
  return {
    config: { model: shown, approvalLimit: settings.approvalLimit, restarts: settings.restarts },
    shop,
    mailbox,
    agent,
    store,
    runOptions(mailId) {
      const { id } = mailbox.readMail(mailId);
      return { sessionId: sessionOfMail(id), metadata: { mailId: id }, grants: grantsForMail(id, parts) };
    },
    runs: createRunRows(store, agent),
    processes,
    async [Symbol.asyncDispose]() {
      await close();
      await store.close();
      database.close();
      processes[Symbol.dispose]();
    },
  };
}
