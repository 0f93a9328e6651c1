import type { JournalEvent, RunStore } from "@bailiwick/core";

const tools = ["read_mail", "get_order", "refund_order", "send_reply"];
const states = [...Array.from({ length: 8 }, () => "completed" as const), "failed", "suspended"] as const;

function recordsOf(runId: string, index: number): JournalEvent[] {
  const fields = (seq: number) => ({ seq, at: seq, key: `k${seq}`, label: "system", runId });
  const usage = { inputTokens: 900, outputTokens: 100, totalTokens: 1_000 };
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

/** Stores runs of seven agents and a thousand users, a tenth of them failed and a tenth waiting for a person. */
export async function storeManyRuns(store: RunStore, total: number, from = 0): Promise<void> {
  for (let index = from; index < total; index += 500)
    await Promise.all(Array.from({ length: Math.min(500, total - index) }, (_, more) => storeRun(store, index + more)));
}
