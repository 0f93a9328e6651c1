import type { ClaimColumns, ClaimedRow, DatabaseService, GivenLease } from "../thread/service.ts";
import type { Database, SqlRow } from "./database.ts";
import type { GroupCommit } from "./group-commit.ts";
import { queueStatements } from "./queue-statements.ts";
import { toRunRow } from "./run-columns.ts";

/** The parts of the runs that the queue uses. */
export interface QueueContext {
  readonly database: Database;
  readonly commits: GroupCommit;
  /** Grows with each commit of another process. */
  readonly version: () => number;
  readonly take: (runId: string, owner: string, ttlMs: number) => GivenLease | null;
  readonly fenceInside: (runId: string) => void;
  /** The number of a run's row; refuses an unknown one. */
  readonly numberOf: (runId: string) => number;
}

/** The calls of workers. */
export function queueCalls({
  database,
  commits,
  version,
  take,
  fenceInside,
  numberOf,
}: QueueContext): Pick<DatabaseService, "claim" | "requeue" | "queueDepth" | "version"> {
  const sql = queueStatements(database);
  const hashesOf = (hashes: readonly string[] | null): string | null =>
    hashes === null ? null : JSON.stringify(hashes);

  function nextDueAt({ agents }: ClaimColumns): number | null {
    const times = agents.flatMap(({ agentId }) => {
      const at = sql.nextDue.get(agentId)?.["at"] as number | null | undefined;
      return at === null || at === undefined ? [] : [at];
    });
    return times.length === 0 ? null : Math.min(...times);
  }

  function hasSuspects({ agents }: ClaimColumns): boolean {
    return agents.some(({ agentId }) => sql.suspect.get(agentId) !== undefined);
  }

  function candidatesOf(request: ClaimColumns): readonly SqlRow[] {
    const { agents, exceptTenants, limit, suspects } = request;
    const except = JSON.stringify(exceptTenants);
    const expired = agents.flatMap(({ agentId, definitionHashes }) =>
      sql.expired.all(agentId, hashesOf(definitionHashes), except, limit, suspects ? 1 : 0),
    );
    expired.sort((a, b) => Number(a["expires_at"]) - Number(b["expires_at"]));
    if (suspects || expired.length >= limit) return expired;
    const queued = agents.flatMap(({ agentId, definitionHashes }) =>
      sql.queued.all(agentId, hashesOf(definitionHashes), except, limit),
    );
    queued.sort((a, b) => Number(b["priority"]) - Number(a["priority"]) || Number(a["n"]) - Number(b["n"]));
    return [...expired, ...queued];
  }

  function claimNow(request: ClaimColumns): ClaimedRow[] {
    const claimed: ClaimedRow[] = [];
    for (const candidate of candidatesOf(request)) {
      if (claimed.length >= request.limit) break;
      const runId = candidate["id"] as string;
      // A run that was just claimed may be of the same session.
      if (sql.sessionDriven.get(candidate["n"] as number) !== undefined) continue;
      const lease = take(runId, request.owner, request.ttlMs);
      if (lease === null) continue;
      fenceInside(runId);
      claimed.push({ run: toRunRow(sql.find.get(runId) ?? {}), lease });
    }
    return claimed;
  }

  return {
    async claim(request) {
      // A read does not lock out writers.
      const look = await commits.read(() => {
        const due = request.agents.some(({ agentId }) => sql.anythingDue.get(agentId) !== undefined);
        return { due, suspects: hasSuspects(request), nextDueAt: nextDueAt(request) };
      });
      if (!look.due) return { runs: [], stuck: [], suspects: look.suspects, nextDueAt: look.nextDueAt };
      return commits.write(() => {
        for (const { agentId } of request.agents) sql.promote.run(agentId);
        const stuck = request.agents.flatMap(({ agentId }) =>
          sql.stick.all(agentId, request.maxAttempts).map((row) => row["id"] as string),
        );
        const runs = claimNow(request);
        return { runs, stuck, suspects: hasSuspects(request), nextDueAt: nextDueAt(request) };
      });
    },
    requeue: (runId, epoch, dueAt) => commits.write(() => sql.requeue.run(dueAt, numberOf(runId), epoch).changes > 0),
    queueDepth: () =>
      commits.read(() =>
        sql.depth.all().map((row) => ({
          agentId: row["agent_id"] as string,
          queued: row["queued"] as number,
          delayed: row["delayed"] as number,
          running: row["running"] as number,
          stuck: row["stuck"] as number,
          oldestQueuedAt: row["oldest"] as number | null,
          oldestQueuedId: row["oldest"] === null ? null : (row["oldest_id"] as string),
        })),
      ),
    version: () => commits.read(version),
  };
}
