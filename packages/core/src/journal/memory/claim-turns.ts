import type { Row } from "./rows.ts";

/** Maximum number of tenants and agents whose last turn is kept. One that is forgotten is served like a new one. */
const mostKept = 10_000;

/** The order in which claims serve tenants, and the agents of a tenant: the one that was served longest ago is next. */
export interface ClaimTurns {
  /**
   * Sorts runs that are due: by priority, then by turn; the runs of one tenant and agent keep their order.
   *
   * @param rows - Runs of one priority after the other, each by age.
   */
  order(rows: readonly Row[]): Generator<Row>;
  /** Notes that a run was claimed: its tenant and its agent are served last from now on. */
  served(row: Row): void;
}

/** Creates the turns of a store. */
export function claimTurns(): ClaimTurns {
  const lastTurns = new Map<string, number>();
  let turns = 0;
  const lastTurn = (name: string): number => lastTurns.get(name) ?? 0;

  function note(name: string): void {
    turns += 1;
    // The names that were served last are at the end.
    lastTurns.delete(name);
    lastTurns.set(name, turns);
    if (lastTurns.size <= mostKept) return;
    for (const oldest of lastTurns.keys()) {
      lastTurns.delete(oldest);
      return;
    }
  }

  /** The key whose turn is the longest ago; of equal ones, the first. */
  function next(keys: Iterable<string>): string | undefined {
    let found: string | undefined;
    for (const key of keys) if (found === undefined || lastTurn(key) < lastTurn(found)) found = key;
    return found;
  }

  return {
    *order(rows) {
      for (const equal of grouped(rows, ({ record }) => record.priority ?? 0).values()) {
        const tenants = new Map([...grouped(equal, tenantOf)].map(([tenant, own]) => [tenant, linesOf(own)]));
        for (let tenant = next(tenants.keys()); tenant !== undefined; tenant = next(tenants.keys())) {
          const agents = tenants.get(tenant) ?? new Map<string, Row[]>();
          const agent = next(agents.keys()) ?? "";
          const line = agents.get(agent) ?? [];
          const row = line.pop();
          if (line.length === 0) agents.delete(agent);
          if (agents.size === 0) tenants.delete(tenant);
          if (row !== undefined) yield row;
        }
      }
    },
    served(row) {
      note(tenantOf(row));
      note(agentOf(row));
    },
  };
}

/** The runs of a tenant by agent, newest first: a line is taken from its end. */
function linesOf(own: readonly Row[]): Map<string, Row[]> {
  return new Map([...grouped(own, agentOf)].map(([agent, line]) => [agent, line.toReversed()]));
}

function grouped<Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(row);
  }
  return groups;
}

const tenantOf = ({ record }: Row): string => JSON.stringify([record.tenantId ?? null]);
const agentOf = ({ record }: Row): string => JSON.stringify([record.tenantId ?? null, record.agentId]);
