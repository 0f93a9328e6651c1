import type { Claim, ClaimRequest, ClaimedRun, Lease, QueueDepth } from "../../contracts/ports/run-store.ts";
import type { Clock } from "../../contracts/ports/clock.ts";
import { hasRoom, type ClaimUse } from "../fair-queue.ts";
import type { ClaimTurns } from "./claim-turns.ts";
import { isBeside, storedRun, type Row } from "./rows.ts";

const minuteMs = 60_000;

/**
 * Claims runs of the rows in memory.
 *
 * @param take - Takes the lease of a run.
 * @param turns - The turns of tenants and agents.
 */
export function claimRows(
  rows: ReadonlyMap<string, Row>,
  request: ClaimRequest,
  clock: Pick<Clock, "now">,
  take: (row: Row, owner: string, ttlMs: number) => Lease,
  turns: ClaimTurns,
): Claim {
  const now = clock.now();
  const stuck: string[] = [];
  const own = [...rows.values()].filter((row) => isWanted(row, request));
  for (const row of own) {
    if (!isExpired(row, now) || row.attempts < request.maxAttempts) continue;
    row.state = "stuck";
    row.epoch += 1;
    row.owner = undefined;
    row.expiresAt = 0;
    row.updatedAt = now;
    row.settledAt = row.updatedAt;
    stuck.push(row.record.id);
  }
  const expired = own.filter((row) => isExpired(row, now));
  const ready = request.suspects ? [] : own.filter((row) => isDue(row, now));
  const queue = turns.order(
    ready.sort((a, b) => priorityOf(b) - priorityOf(a) || a.order - b.order),
    request.tenantWeights,
  );
  function* candidates(): Generator<Row> {
    yield* expired.filter((row) => row.attempts > 0 === request.suspects).sort((a, b) => a.expiresAt - b.expiresAt);
    for (let row = queue.next(); row !== undefined; row = queue.next()) yield row;
  }
  const limits = usedLimits(rows.values(), request, now);
  const runs: ClaimedRun[] = [];
  for (const row of candidates()) {
    if (runs.length >= request.limit) break;
    if (!limits.allow(row) || isBehind(rows.values(), row, now)) continue;
    if (row.state === "running") row.attempts += 1;
    else turns.served(row);
    const lease = take(row, request.owner, request.ttlMs);
    row.claimedAt = now;
    limits.taken(row);
    runs.push({ run: storedRun(row), lease });
  }
  const dueTimes = own.map((row) => dueTimeOf(row, now)).filter((time) => time !== undefined);
  return {
    runs,
    stuck,
    suspects: own.some((row) => isExpired(row, now) && row.attempts > 0),
    nextDueAt: dueTimes.length === 0 ? undefined : Math.min(...dueTimes),
  };
}

/** Counts the runs of tenants and agents with limits. */
function usedLimits(
  rows: Iterable<Row>,
  { agents, tenantLimit }: ClaimRequest,
  now: number,
): { readonly allow: (row: Row) => boolean; readonly taken: (row: Row) => void } {
  const limitOf = new Map(agents.map(({ agentId, limit }) => [agentId, limit]));
  if (tenantLimit === undefined && agents.every(({ limit }) => limit === undefined))
    return { allow: () => true, taken: () => undefined };
  const tenants = new Map<string | undefined, ClaimUse>();
  const ofAgents = new Map<string | undefined, ClaimUse>();
  const usesOf = ({ record }: Row): readonly ClaimUse[] =>
    (
      [
        [tenants, record.tenantId],
        [ofAgents, record.agentId],
      ] as const
    ).map(([uses, name]) => {
      const use = uses.get(name) ?? { driven: 0, started: 0 };
      uses.set(name, use);
      return use;
    });
  for (const row of rows) {
    if (row.record.parent !== undefined) continue;
    const driven = row.state === "running" && row.expiresAt > now ? 1 : 0;
    const started = (row.claimedAt ?? 0) > now - minuteMs ? 1 : 0;
    if (driven + started === 0) continue;
    for (const use of usesOf(row)) {
      use.driven += driven;
      use.started += started;
    }
  }
  return {
    allow(row) {
      const [tenant, agent] = usesOf(row);
      return (
        tenant !== undefined &&
        agent !== undefined &&
        hasRoom(tenantLimit, tenant) &&
        hasRoom(limitOf.get(row.record.agentId), agent)
      );
    },
    taken(row) {
      for (const use of usesOf(row)) {
        use.driven += 1;
        use.started += 1;
      }
    },
  };
}

/** @returns how many runs wait, by agent. */
export function memoryQueueDepth(rows: Iterable<Row>, now: number): readonly QueueDepth[] {
  const depths = new Map<string, { -readonly [Name in keyof QueueDepth]: QueueDepth[Name] }>();
  for (const row of rows) {
    const { agentId, parent } = row.record;
    if (parent !== undefined || !["queued", "sleeping", "running", "stuck"].includes(row.state)) continue;
    const depth = depths.get(agentId) ?? {
      agentId,
      queued: 0,
      delayed: 0,
      running: 0,
      stuck: 0,
      oldestQueuedAt: undefined,
      oldestQueuedId: undefined,
    };
    depths.set(agentId, depth);
    if (row.state === "running") depth.running += 1;
    else if (row.state === "stuck") depth.stuck += 1;
    else if (isDue(row, now)) {
      depth.queued += 1;
      if (row.enqueuedAt < (depth.oldestQueuedAt ?? Infinity)) {
        depth.oldestQueuedAt = row.enqueuedAt;
        depth.oldestQueuedId = row.record.id;
      }
    } else depth.delayed += 1;
  }
  return [...depths.values()].sort((a, b) => (a.agentId < b.agentId ? -1 : 1));
}

function isWanted({ record }: Row, { agents, exceptTenants }: ClaimRequest): boolean {
  if (record.parent !== undefined || exceptTenants?.includes(record.tenantId) === true) return false;
  return agents.some(
    ({ agentId, definitionHashes }) =>
      agentId === record.agentId && definitionHashes?.includes(record.definitionHash) !== false,
  );
}

/** True if a run has to wait for another one of its session. A run whose process died only waits for driven ones. */
function isBehind(rows: Iterable<Row>, row: Row, now: number): boolean {
  const { record } = row;
  if (record.inSession !== true) return false;
  for (const other of rows) {
    if (other === row || !isBeside(other, record)) continue;
    if (other.state === "running" && (row.state !== "running" || other.expiresAt > now)) return true;
    if (row.state === "running" || other.state !== "queued" || other.order > row.order) continue;
    if (isDue(other, now) || other.epoch > 0) return true;
  }
  return false;
}

function isExpired(row: Row, now: number): boolean {
  return row.state === "running" && row.expiresAt <= now;
}

function isDue(row: Row, now: number): boolean {
  return (row.state === "queued" || row.state === "sleeping") && (row.dueAt ?? 0) <= now;
}

function dueTimeOf(row: Row, now: number): number | undefined {
  if (row.state === "running") return row.expiresAt;
  if (row.state !== "queued" && row.state !== "sleeping") return undefined;
  return row.dueAt !== undefined && row.dueAt > now ? row.dueAt : undefined;
}

const priorityOf = ({ record }: Row): number => record.priority ?? 0;
