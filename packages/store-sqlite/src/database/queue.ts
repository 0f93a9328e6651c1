import type { ClaimColumns, ClaimedRow, DatabaseService, GivenLease } from "../thread/service.ts";
import type { Database, SqlRow } from "./database.ts";
import type { GroupCommit } from "./group-commit.ts";
import { fairOrder } from "./fair-order.ts";
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

  function expiredOf({ agents, exceptTenants, limit, suspects }: ClaimColumns): readonly SqlRow[] {
    const except = JSON.stringify(exceptTenants);
    const expired = agents.flatMap(({ agentId, definitionHashes }) =>
      sql.expired.all(agentId, hashesOf(definitionHashes), except, limit, suspects ? 1 : 0),
    );
    return expired.sort((a, b) => Number(a["expires_at"]) - Number(b["expires_at"]));
  }

  /** The queued runs in the order of the claim. */
  function queuedOf({
    agents,
    exceptTenants,
    limit,
    tenantWeights,
  }: ClaimColumns): ReturnType<typeof fairOrder<SqlRow>> {
    const except = JSON.stringify(exceptTenants);
    const turnOf = (agentId: string, tenant: string | null): number | null =>
      sql.turn.get(agentId, tenant)?.["turn"] as number | null;
    const lines = agents.flatMap(({ agentId, definitionHashes }) =>
      sql.tenants.all(agentId).flatMap((row) => {
        const tenant = row["tenant"] as string | null;
        const runs = sql.queued.all(agentId, hashesOf(definitionHashes), except, limit, tenant);
        if (runs.length === 0) return [];
        const turns = agents.map((one) => turnOf(one.agentId, tenant) ?? -1);
        const tenantTurn = Math.max(...turns);
        return [{ tenant, turn: turnOf(agentId, tenant), tenantTurn: tenantTurn < 0 ? null : tenantTurn, runs }];
      }),
    );
    return fairOrder(lines, {
      priority: (row) => Number(row["priority"]),
      order: (row) => Number(row["n"]),
      weight: (tenant) => (tenant !== null && Object.hasOwn(tenantWeights, tenant) ? (tenantWeights[tenant] ?? 1) : 1),
    });
  }

  /** Counts the runs of tenants and agents with limits; each is counted once in a claim. */
  function limitsOf({ agents, tenantLimit }: ClaimColumns): { allow(row: SqlRow): boolean; taken(row: SqlRow): void } {
    const limitOf = new Map(agents.map(({ agentId, limit }) => [agentId, limit]));
    const uses = new Map<string, { driven: number; started: number }>();
    const useOf = (kind: "tenantUse" | "agentUse", name: string | null): { driven: number; started: number } => {
      const key = JSON.stringify([kind, name]);
      const use = uses.get(key) ?? { ...(sql[kind].get(name) as unknown as { driven: number; started: number }) };
      uses.set(key, use);
      return use;
    };
    const limited = (row: SqlRow) =>
      [
        [tenantLimit, "tenantUse", row["tenant_id"] as string | null],
        [limitOf.get(row["agent_id"] as string) ?? null, "agentUse", row["agent_id"] as string],
      ] as const;
    return {
      allow: (row) =>
        limited(row).every(([limit, kind, name]) => {
          if (limit === null) return true;
          const { driven, started } = useOf(kind, name);
          return driven < (limit.concurrency ?? Infinity) && started < (limit.runsPerMinute ?? Infinity);
        }),
      taken(row) {
        for (const [limit, kind, name] of limited(row)) {
          if (limit === null) continue;
          const use = useOf(kind, name);
          use.driven += 1;
          use.started += 1;
        }
      },
    };
  }

  function claimNow(request: ClaimColumns): ClaimedRow[] {
    const claimed: ClaimedRow[] = [];
    const limits = limitsOf(request);
    function tryTake(candidate: SqlRow, turn: () => number | null): void {
      const runId = candidate["id"] as string;
      // A run that was just claimed may be of the same session.
      if (!limits.allow(candidate) || sql.sessionDriven.get(candidate["n"] as number) !== undefined) return;
      const lease = take(runId, request.owner, request.ttlMs);
      if (lease === null) return;
      limits.taken(candidate);
      sql.noteTurn.run(candidate["n"] as number, turn());
      fenceInside(runId);
      claimed.push({ run: toRunRow(sql.find.get(runId) ?? {}), lease });
    }
    for (const candidate of expiredOf(request)) {
      if (claimed.length >= request.limit) return claimed;
      tryTake(candidate, () => null);
    }
    if (request.suspects || claimed.length >= request.limit) return claimed;
    const queue = queuedOf(request);
    for (let run = queue.next(); run !== undefined && claimed.length < request.limit; run = queue.next()) {
      const candidate = run;
      tryTake(candidate, () => queue.served(candidate));
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
