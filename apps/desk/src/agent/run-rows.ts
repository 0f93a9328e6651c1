import type { InterruptionData, JournalEvent, RunStore, StoredRun } from "@bailiwick/core";
import type { RunRow } from "../desk-api.ts";
import { mailOfSession, sessionOfMail } from "./mail-session.ts";

/** The runs as people look at them. */
export interface RunRows {
  /** Newest first. */
  list(limit?: number): Promise<RunRow[]>;
  /** Oldest first. */
  ofMail(mailId: string): Promise<RunRow[]>;
}

/**
 * Reads run rows from a store. A run's journal is read again only when it grew.
 *
 * @param store - Where the runs live.
 * @param interruptionsOf - What a suspended run waits for.
 */
export function createRunRows(
  store: RunStore,
  interruptionsOf: (runId: string) => Promise<readonly InterruptionData[]>,
): RunRows {
  const known = new Map<string, { readonly seq: number; readonly row: RunRow }>();

  const toRow = async (run: StoredRun): Promise<RunRow> => {
    const before = known.get(run.id);
    if (before?.seq === run.head.seq && before.row.updatedAt === run.updatedAt) return before.row;
    const waits = run.state === "waiting";
    const end = waits ? undefined : (await store.load(run.id)).findLast((event) => event.type === "run.end");
    const row: RunRow = {
      runId: run.id,
      mailId: mailOfSession(run.sessionId),
      status: waits ? "suspended" : statusOf(run, end),
      stopReason: end?.type === "run.end" ? end.stopReason : null,
      createdAt: run.createdAt,
      updatedAt: run.updatedAt,
      input: textOf(run.input),
      // As plain data: the methods of an interruption stay on the server.
      interruptions: waits ? (JSON.parse(JSON.stringify(await interruptionsOf(run.id))) as InterruptionData[]) : [],
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

function statusOf(run: StoredRun, end: JournalEvent | undefined): string {
  // A failed run that goes on has an old end and is being worked on.
  if (run.state === "done" || run.state === "failed") return end?.type === "run.end" ? end.status : run.state;
  return run.state === "sleeping" ? "sleeping" : "running";
}

/** The words of a run's input: text, parts, or messages that hold them. */
function textOf(input: unknown): string {
  if (typeof input === "string") return input;
  if (Array.isArray(input)) return input.map(textOf).filter(Boolean).join("\n");
  if (typeof input !== "object" || input === null) return "";
  if ("text" in input) return String(input.text);
  return "content" in input ? textOf(input.content) : "";
}
