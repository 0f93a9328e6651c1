/** The runs of one tenant and agent that may be claimed, by priority, then by age. */
export interface Line<Run> {
  readonly tenant: string | null;
  turn: number | null;
  readonly tenantTurn: number | null;
  readonly runs: readonly Run[];
}

/**
 * The order of a claim, as `fairQueue` of the core has it: the thread of the database does not load the core.
 *
 * @param of - Priority and age of a run, and the weight of a tenant.
 */
export function fairOrder<Run>(
  lines: readonly Line<Run>[],
  of: {
    readonly priority: (run: Run) => number;
    readonly order: (run: Run) => number;
    readonly weight: (tenant: string | null) => number;
  },
): { readonly next: () => Run | undefined; readonly served: (run: Run) => number } {
  const latest = lines.reduce((most, { tenantTurn }) => Math.max(most, tenantTurn ?? 1), 1);
  const tenants = new Map(
    lines.map(({ tenant, tenantTurn }) => [tenant, Math.max(tenantTurn ?? latest - 1, latest - 1)]),
  );
  const turnOf = (tenant: string | null): number => tenants.get(tenant) ?? 0;
  const places = new Map<Line<Run>, number>();
  const lineOf = new Map<Run, Line<Run>>();
  const head = (line: Line<Run>): Run | undefined => line.runs[places.get(line) ?? 0];
  const compare = (line: Line<Run>, run: Run, other: Line<Run>, than: Run): number =>
    of.priority(than) - of.priority(run) ||
    turnOf(line.tenant) - turnOf(other.tenant) ||
    (line.turn ?? -1) - (other.turn ?? -1) ||
    of.order(run) - of.order(than);

  return {
    next() {
      let best: readonly [line: Line<Run>, run: Run] | undefined;
      for (const line of lines) {
        const run = head(line);
        if (run !== undefined && (best === undefined || compare(line, run, ...best) < 0)) best = [line, run];
      }
      if (best === undefined) return undefined;
      const [line, run] = best;
      places.set(line, (places.get(line) ?? 0) + 1);
      lineOf.set(run, line);
      return run;
    },
    served(run) {
      const line = lineOf.get(run);
      if (line === undefined) return latest;
      const turn = turnOf(line.tenant) + 1 / of.weight(line.tenant);
      tenants.set(line.tenant, turn);
      line.turn = turn;
      return turn;
    },
  };
}
