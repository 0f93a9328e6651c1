import { driveDue, webhook } from "@bailiwick/worker";
import { sqliteStore } from "../sqlite-store.ts";
import { clerk, quiet, secret } from "./webhook-world.fixture.ts";

/** Drives what is due, then sends events, until it is killed. */
const [path = "", url = "", allowed = ""] = process.argv.slice(2);
const store = sqliteStore({ path });
await driveDue({ agents: [clerk(store)], store, logger: quiet });
webhook({
  store,
  url,
  secret,
  allowHosts: [allowed],
  pollMs: 20,
  // The receiver's process may be paused for long: no event is given up.
  retryMs: Array.from({ length: 1_000 }, () => 50),
  logger: quiet,
});
