// Stores many runs and measures the studio's searches over them: `node test/many-runs.fixture.ts 100000 runs.db`, or with a
// PostgreSQL at BAILIWICK_POSTGRES_URL instead of the file.
import { memoryStore } from "@bailiwick/core";
import { postgresStore } from "@bailiwick/store-postgres";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { studio } from "@bailiwick/studio";
import { storeManyRuns } from "./store-many-runs.fixture.ts";

const [howMany = "2000", place = ":memory:"] = process.argv.slice(2);
const total = Number(howMany);
const url = process.env["BAILIWICK_POSTGRES_URL"];

/** Maximum time for an answer, in milliseconds. */
const limitMs = 1_000;

const store =
  url !== undefined ? postgresStore({ url }) : place === "memory" ? memoryStore() : sqliteStore({ path: place });
const begun = performance.now();
await storeManyRuns(store, total);
console.log(`${total} runs in ${store.name}, stored in ${Math.round((performance.now() - begun) / 1_000)} s`);

const opened = studio({ store });
async function ask(path: string): Promise<{ readonly runs?: readonly unknown[]; readonly next?: string }> {
  const headers = { host: "127.0.0.1", authorization: `Bearer ${opened.token}` };
  const response = await opened.fetch(new Request(`http://127.0.0.1/api/${path}`, { headers }));
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { readonly runs?: readonly unknown[]; readonly next?: string };
}
let after = "";
for (let page = 0; page < Math.min(200, total / 200); page += 1)
  after = (await ask(`runs?limit=200&after=${after}`)).next ?? after;
const searches = [
  "info",
  "inbox",
  "tools",
  "queue",
  "runs",
  `runs?after=${after}`,
  "runs?state=suspended",
  "runs?state=failed,stuck",
  "runs?agent=agent-3&state=completed",
  "runs?user=user-17",
  "runs?tool=rare_tool",
  "runs?text=needle",
  "runs?text=there-is-no-such-word",
  "runs?cost=0.099",
  "runs?text=scratch+settled&tool=refund_order",
];
for (const path of searches) {
  const times: number[] = [];
  let found = 0;
  for (let time = 0; time < 3; time += 1) {
    const since = performance.now();
    found = (await ask(path)).runs?.length ?? 0;
    times.push(performance.now() - since);
  }
  const [fastest = 0] = times.toSorted((one, other) => one - other);
  console.log(`${fastest.toFixed(1).padStart(8)} ms  ${String(found).padStart(3)} runs  ${path}`);
  if (fastest > limitMs) process.exitCode = 1;
}
await store.close?.();
