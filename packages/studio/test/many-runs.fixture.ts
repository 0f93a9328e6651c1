// Stores many runs and measures the studio's searches over them: `node test/many-runs.fixture.ts 100000 runs.db`, or with a
// PostgreSQL at BAILIWICK_POSTGRES_URL in the place of the file.
import { memoryStore, type JournalEvent, type RunStore } from "@bailiwick/core";
import { postgresStore } from "@bailiwick/store-postgres";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { studio } from "@bailiwick/studio";

const [howMany = "2000", place = ":memory:"] = process.argv.slice(2);
const total = Number(howMany);
const url = process.env["BAILIWICK_POSTGRES_URL"];

/** Longest time that an answer may take, in milliseconds. */
const limitMs = 1_000;

const tools = ["read_mail", "get_order", "refund_order", "send_reply"];
const states = [...Array.from({ length: 8 }, () => "completed" as const), "failed", "suspended"] as const;

function recordsOf(runId: string, index: number): JournalEvent[] {
  const fields = (seq: number) => ({ seq, at: seq, key: `k${seq}`, label: "system", runId });
  const usage = { promptTokens: 900, completionTokens: 100, totalTokens: 1_000 };
  const toolName = index % 5_000 === 0 ? "rare_tool" : tools[index % tools.length];
  const text = `Order FH-${index} is settled. ${index % 25_000 === 0 ? "A needle in the answer." : "Nothing else is to do."}`;
  return [
    { ...fields(1), type: "model.result", turn: 1, attempt: 1, usage, costUsd: (index % 100) / 1_000, durationMs: 5 },
    { ...fields(2), type: "tool.call", turn: 1, index: 0, toolCallId: "c1", toolName, args: { index } },
    { ...fields(3), type: "run.end", status: "completed", stopReason: "completed", text, durationMs: 9 },
  ] as unknown as JournalEvent[];
}

async function storeRun(store: RunStore, index: number): Promise<void> {
  const id = `run-${index}`;
  const state = states[index % states.length] ?? "completed";
  const holder = { owner: "writer", ttlMs: 600_000 };
  const { lease } = await store.create(
    {
      id,
      agentId: `agent-${index % 7}`,
      definitionHash: "d",
      sessionId: `session-${index}`,
      userId: `user-${index % 1_000}`,
      input: `Please look at order FH-${index}, which arrived with a scratch on its side, and say what can be done about it.`,
    },
    holder,
  );
  if (lease === undefined) return;
  const head = await store.append(lease, recordsOf(id, index));
  const next = state === "suspended" ? ({ state, waitingOn: ["q"] } as const) : { state };
  await store.release({ ...lease, head }, next);
}

const store =
  url !== undefined ? postgresStore({ url }) : place === "memory" ? memoryStore() : sqliteStore({ path: place });
const begun = performance.now();
for (let index = 0; index < total; index += 500)
  await Promise.all(Array.from({ length: Math.min(500, total - index) }, (_, more) => storeRun(store, index + more)));
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
  "runs",
  `runs?after=${after}`,
  "runs?state=waiting",
  "runs?state=failed,stuck",
  "runs?agent=agent-3&state=done",
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
