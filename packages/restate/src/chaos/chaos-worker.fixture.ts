import * as http2 from "node:http2";
import { postgresStore } from "@bailiwick/store-postgres";
import * as restate from "@restatedev/restate-sdk";
import { restateRuns } from "../index.ts";
import { chaosAgent } from "./chaos-agent.fixture.ts";

/** One process of a deployment, until it is killed. */
const [url = "", schema = "", effects = "", ingressUrl = "", port = "0"] = process.argv.slice(2);
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const store = postgresStore({ url, schema, migrate: false });
const runs = restateRuns({
  agents: [chaosAgent(store, effects)],
  store,
  ingressUrl,
  maxAttempts: 1_000,
  logger: quiet,
});
const handler = restate.createEndpointHandler({ services: [runs.object], logger: () => undefined });
http2.createServer(handler).listen(Number(port), "127.0.0.1");
