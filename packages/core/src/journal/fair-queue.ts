import type { ClaimLimit } from "../contracts/ports/run-store.ts";

/** The runs of one tenant and agent that may be claimed, by priority, then by age. */
export interface QueueLine<Run> {
  /** The tenant. */
  readonly tenant: string;
  /** The agent. */
  readonly agent: string;
  /** The turn at which a run of this line was claimed last; `undefined` if none was. */
  readonly turn: number | undefined;
  /** The same for the tenant, whatever the agent. */
  readonly tenantTurn: number | undefined;
  /** Its runs, the next one first. */
  readonly runs: readonly Run[];
}

/** A line with the number of runs that were taken from it. */
type OpenLine<Run> = Omit<QueueLine<Run>, "turn"> & { turn: number | undefined; place: number };

/** The order of one claim. */
export interface FairQueue<Run> {
  /** Returns the next run, once. */
  next(): Run | undefined;
  /**
   * Notes that a run was claimed, and returns its turn: its tenant and its agent are served later from now on.
   *
   * @param run - The run.
   */
  served(run: Run): number;
}

/**
 * The order in which a claim takes runs: by priority, then by the turns of tenants, then by the turns of the agents of a
 * tenant, then by age. A tenant of weight 3 gets three turns for each one of a tenant of weight 1. A tenant that had
 * nothing to do gets at most one turn ahead.
 *
 * @param lines - One line for each tenant and agent.
 * @param of - `priority` and `order` (the age) of a run, and the `weight` of a tenant; default 1.
 */
export function fairQueue<Run>(
  lines: readonly QueueLine<Run>[],
  of: {
    readonly priority: (run: Run) => number;
    readonly order: (run: Run) => number;
    readonly weight?: ((tenant: string) => number) | undefined;
  },
): FairQueue<Run> {
  const latest = lines.reduce((most, { tenantTurn }) => Math.max(most, tenantTurn ?? 1), 1);
  const tenants = new Map(
    lines.map(({ tenant, tenantTurn }) => [tenant, Math.max(tenantTurn ?? latest - 1, latest - 1)]),
  );
  const open = lines.map((line): OpenLine<Run> => ({ ...line, place: 0 }));
  const lineOf = new Map<Run, OpenLine<Run>>();
  const turnOf = (tenant: string): number => tenants.get(tenant) ?? 0;

  return {
    next() {
      let best: { readonly line: OpenLine<Run>; readonly run: Run } | undefined;
      for (const line of open) {
        const run = line.runs[line.place];
        if (run === undefined) continue;
        const isBefore =
          best === undefined
            ? -1
            : of.priority(best.run) - of.priority(run) ||
              turnOf(line.tenant) - turnOf(best.line.tenant) ||
              (line.turn ?? -1) - (best.line.turn ?? -1) ||
              of.order(run) - of.order(best.run);
        if (isBefore < 0) best = { line, run };
      }
      if (best === undefined) return undefined;
      best.line.place += 1;
      lineOf.set(best.run, best.line);
      return best.run;
    },
    served(run) {
      const line = lineOf.get(run);
      if (line === undefined) return latest;
      const turn = turnOf(line.tenant) + 1 / (of.weight?.(line.tenant) ?? 1);
      tenants.set(line.tenant, turn);
      line.turn = turn;
      return turn;
    },
  };
}

/** Runs of a tenant or an agent that count towards its limits. */
export interface ClaimUse {
  /** Runs that a process drives. */
  driven: number;
  /** Runs that were claimed in the last minute. */
  started: number;
}

/**
 * True if another run may be claimed.
 *
 * @param limit - The limits of a tenant or an agent; without them, another run always fits.
 * @param use - The runs that count.
 */
export function hasRoom(limit: ClaimLimit | undefined, use: ClaimUse): boolean {
  const { driven, started } = use;
  return driven < (limit?.concurrency ?? Infinity) && started < (limit?.runsPerMinute ?? Infinity);
}
