import type { RunStore, StoredRun } from "@bailiwick/core";
import { inputText } from "@bailiwick/core/store";
import type { RunRow } from "../desk-api.ts";
import type { DeskAgent } from "./desk-agent.ts";
import { mailOfSession, sessionOfMail } from "./mail-session.ts";

/** The runs as the command line and the page show them. */
export interface RunRows {
  /** Newest first. */
  list(limit?: number): Promise<RunRow[]>;
  /** Oldest first. */
  ofMail(mailId: string): Promise<RunRow[]>;
}

/**
 * Reads run rows. A run's journal is only read again when the run has changed.
 *
 * @param store - Where the runs live.
 * @param agent - Whose runs they are.
 */
export function createRunRows(store: Pick<RunStore, "listRuns">, agent: Pick<DeskAgent, "inspect">): RunRows {
  const known = new Map<string, { readonly seq: number; readonly row: RunRow }>();

  const toRow = async (run: StoredRun): Promise<RunRow> => {
    const before = known.get(run.id);
    if (before?.seq === run.head.seq && before.row.updatedAt === run.updatedAt) return before.row;
    const { output, progress, interruptions, events } = await agent.inspect(run.id);
    const row: RunRow = {
      runId: run.id,
      mailId: mailOfSession(run.sessionId),
      status: output?.status ?? "running",
      stopReason: run.state === "sleeping" ? null : (output?.stopReason ?? null),
      createdAt: run.createdAt,
      updatedAt: run.updatedAt,
      input: inputText(run.input),
      tokens: progress.usage.totalTokens,
      costUsd: progress.costUsd ?? null,
      // After a suspension a run begins again; otherwise its process ended while it worked.
      crashes: events.filter(({ type }, index) => type === "run.resumed" && events[index - 1]?.type !== "run.end")
        .length,
      // Plain data: the methods of an interruption stay on the server.
      interruptions: run.state === "suspended" ? interruptions.map((interruption) => ({ ...interruption })) : [],
    };
    known.set(run.id, { seq: run.head.seq, row });
    return row;
  };

  return {
    async list(limit = 50) {
      return Promise.all((await store.listRuns({ limit })).filter((run) => run.parent === undefined).map(toRow));
    },
    async ofMail(mailId) {
      const runs = await store.listRuns({ sessionId: sessionOfMail(mailId), limit: 50 });
      return Promise.all(
        runs
          .filter((run) => run.parent === undefined)
          .toSorted((a, b) => a.createdAt - b.createdAt)
          .map(toRow),
      );
    },
  };
}
