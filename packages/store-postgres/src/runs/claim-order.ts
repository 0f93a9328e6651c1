import { fairQueue, hasRoom } from "@bailiwick/core/store";
import type { ClaimLimit, ClaimRequest, ClaimUse, FairQueue, QueueLine } from "@bailiwick/core/store";
import { toColumn, toTenant } from "../connection/names.ts";
import { number, optionalNumber, text } from "../connection/statements.ts";
import type { Ask, Row } from "../connection/statements.ts";
import { now } from "../schema/tables.ts";
import type { Tables } from "../schema/tables.ts";
import { isBehind } from "./queue-sql.ts";

const minuteMs = 60_000;

/** The queued runs in the order of a claim, without locks: another claim may take them first. */
export async function queuedInOrder(
  ask: Ask,
  tables: Tables,
  fits: string,
  values: readonly unknown[],
  { limit, tenantWeights = {} }: ClaimRequest,
): Promise<FairQueue<Row>> {
  const { runs } = tables;
  const ready = "state = 'queued' AND due_at IS NULL AND parent_run IS NULL";
  // One step of the index for each agent and tenant, however many runs they have.
  const found = await ask(
    `WITH RECURSIVE line (agent, tenant) AS (
       SELECT agent.id, (SELECT min(tenant) FROM ${runs} WHERE agent_id = agent.id AND ${ready}) FROM unnest($1::text[]) AS agent (id)
       UNION ALL
       SELECT line.agent, (SELECT min(tenant) FROM ${runs} WHERE agent_id = line.agent AND ${ready} AND tenant > line.tenant)
       FROM line WHERE line.tenant IS NOT NULL
     )
     SELECT line.agent, line.tenant, head.n, head.id, head.priority, head.session_order, head.session,
       (SELECT max(turn) FROM ${runs} WHERE agent_id = line.agent AND tenant = line.tenant AND turn IS NOT NULL) AS turn,
       (SELECT max((SELECT max(turn) FROM ${runs} WHERE agent_id = one.id AND tenant = line.tenant AND turn IS NOT NULL))
        FROM unnest($1::text[]) AS one (id)) AS tenant_turn
     FROM line CROSS JOIN LATERAL (
       SELECT runs.n, runs.id, runs.priority, runs.session_order, runs.tenant || chr(1) || coalesce(runs.user_id, '') || chr(1) || runs.session_id AS session
       FROM ${runs} AS runs, (SELECT line.agent AS id) AS agent
       WHERE ${fits} AND runs.tenant = line.tenant AND runs.state = 'queued' AND runs.due_at IS NULL AND NOT ${isBehind(tables)}
       ORDER BY runs.priority DESC, runs.n LIMIT $4) AS head
     WHERE line.tenant IS NOT NULL ORDER BY head.priority DESC, head.n`,
    // A claim at the same time may take the first ones.
    [...values, limit * 2],
  );
  const lines = new Map<string, QueueLine<Row> & { readonly runs: Row[] }>();
  for (const row of found) {
    const key = `${text(row, "agent")} ${text(row, "tenant")}`;
    const line = lines.get(key) ?? {
      tenant: text(row, "tenant"),
      agent: text(row, "agent"),
      turn: optionalNumber(row, "turn"),
      tenantTurn: optionalNumber(row, "tenant_turn"),
      runs: [],
    };
    lines.set(key, line);
    line.runs.push(row);
  }
  const weights = new Map(Object.entries(tenantWeights).map(([tenant, weight]) => [toTenant(tenant), weight]));
  return fairQueue<Row>([...lines.values()], {
    priority: (row) => number(row, "priority"),
    order: (row) => number(row, "n"),
    weight: (tenant) => weights.get(tenant) ?? 1,
  });
}

/** The limits of a claim, with the runs that count towards them. */
export interface ClaimLimits {
  /** True if another run of this tenant and agent may be claimed. */
  allow(row: Row): Promise<boolean>;
  taken(row: Row): void;
}

/** Counts the runs of tenants and agents with limits; claims with limits are made one after the other. */
export async function claimLimits(
  ask: Ask,
  { runs }: Tables,
  { agents, tenantLimit }: ClaimRequest,
): Promise<ClaimLimits | undefined> {
  if (tenantLimit === undefined && agents.every(({ limit }) => limit === undefined)) return undefined;
  await ask("SELECT pg_advisory_xact_lock(hashtextextended($1, 1))", [runs]);
  const limitOf = new Map(agents.map(({ agentId, limit }) => [toColumn(agentId), limit]));
  const uses = new Map<string, ClaimUse>();
  const useOf = async (column: "tenant" | "agent_id", value: string): Promise<ClaimUse> => {
    const key = `${column} ${value}`;
    const known = uses.get(key);
    if (known !== undefined) return known;
    const [row = {}] = await ask(
      `SELECT (SELECT count(*) FROM ${runs} WHERE ${column} = $1 AND state = 'running' AND parent_run IS NULL AND expires_at > ${now}) AS driven,
         (SELECT count(*) FROM ${runs} WHERE ${column} = $1 AND claimed_at > ${now} - ${minuteMs}) AS started`,
      [value],
    );
    const use = { driven: number(row, "driven"), started: number(row, "started") };
    uses.set(key, use);
    return use;
  };
  const limited = (row: Row): readonly (readonly [ClaimLimit | undefined, "tenant" | "agent_id", string])[] => [
    [tenantLimit, "tenant", text(row, "tenant")],
    [limitOf.get(text(row, "agent")), "agent_id", text(row, "agent")],
  ];
  return {
    async allow(row) {
      for (const [limit, column, value] of limited(row))
        if (limit !== undefined && !hasRoom(limit, await useOf(column, value))) return false;
      return true;
    },
    taken(row) {
      for (const [, column, value] of limited(row)) {
        const use = uses.get(`${column} ${value}`);
        if (use === undefined) continue;
        use.driven += 1;
        use.started += 1;
      }
    },
  };
}
