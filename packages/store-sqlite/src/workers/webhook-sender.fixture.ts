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
  // An event of a killed sender is due after this time. The receiver's process may be paused for longer, so there are
  // enough tries that no event is given up.
  timeoutMs: 200,
  retryMs: Array.from({ length: 1_000 }, () => 50),
  logger: quiet,
});
