import type { ClaimRequest } from "../../contracts/ports/run-store.ts";
import { fairQueue, type FairQueue } from "../fair-queue.ts";
import type { Row } from "./rows.ts";

/** Maximum number of tenants and agents whose last turn is kept. One that is forgotten is served like a new one. */
const mostKept = 10_000;

/** The order in which claims serve tenants, and the agents of a tenant. */
export interface ClaimTurns {
  /**
   * The order of one claim.
   *
   * @param rows - Runs that are due, by priority, then by age.
   */
  order(rows: readonly Row[], weights: ClaimRequest["tenantWeights"]): Pick<FairQueue<Row>, "next">;
  /** Notes that a run of the last order was claimed. */
  served(row: Row): void;
}

/** Creates the turns of a store. */
export function claimTurns(): ClaimTurns {
  const turns = new Map<string, number>();
  let queue: FairQueue<Row> | undefined;

  return {
    order(rows, weights = {}) {
      const lines = [...grouped(rows)].map(([name, runs]) => {
        const { tenantId: tenant = "", agentId: agent } = runs[0].record;
        return { tenant, agent, turn: turns.get(name), tenantTurn: turns.get(tenantOf(runs[0])), runs };
      });
      queue = fairQueue(lines, {
        priority: ({ record }) => record.priority ?? 0,
        order: (row) => row.order,
        weight: (tenant) => (Object.hasOwn(weights, tenant) ? weights[tenant] : 1) ?? 1,
      });
      return queue;
    },
    served(row) {
      const turn = queue?.served(row) ?? 0;
      for (const name of [tenantOf(row), nameOf(row)]) {
        // The names that were served last are at the end.
        turns.delete(name);
        turns.set(name, turn);
      }
      if (turns.size <= mostKept) return;
      for (const oldest of turns.keys()) {
        turns.delete(oldest);
        return;
      }
    },
  };
}

function grouped(rows: readonly Row[]): Map<string, [Row, ...Row[]]> {
  const groups = new Map<string, [Row, ...Row[]]>();
  for (const row of rows) {
    const group = groups.get(nameOf(row));
    if (group === undefined) groups.set(nameOf(row), [row]);
    else group.push(row);
  }
  return groups;
}

const tenantOf = ({ record }: Row): string => JSON.stringify([record.tenantId ?? null]);

const nameOf = ({ record }: Row): string => JSON.stringify([record.tenantId ?? null, record.agentId]);
