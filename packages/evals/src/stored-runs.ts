import { checkKnownNames, type JournalEvent, type RunStore, type StoredRun } from "@bailiwick/core";
import { EvaluationError } from "./evaluation-error.ts";

/** Choice of stored runs. */
export interface RunSelection {
  /** Name of the agent. Default: all agents. */
  readonly agent?: string | undefined;
  /** Age of the oldest run, such as `30d`, `12h` or `90m`, or a time in milliseconds since the epoch. Default: all. */
  readonly since?: string | number | undefined;
  /** Tenant of the runs. Default: all tenants. */
  readonly tenantId?: string | undefined;
  /** Largest number of runs, the newest. Default: all. */
  readonly limit?: number | undefined;
}

const names = ["agent", "since", "tenantId", "limit"] as const satisfies readonly (keyof RunSelection)[];

/** @throws ConfigurationError `UNKNOWN_OPTION` for a name that no choice of runs has. */
export function checkSelection(runs: object, where: string, others: readonly string[] = []): void {
  checkKnownNames(runs, [...names, ...others], where);
}

const unitsMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** @throws EvaluationError `INVALID_OPTION` */
function timeOf(since: string | number): number {
  if (typeof since === "number" && Number.isFinite(since)) return since;
  const [, count = "", unit = ""] = /^(\d{1,6})([mhdw])$/u.exec(String(since)) ?? [];
  if (unit === "")
    throw new EvaluationError(
      "INVALID_OPTION",
      `"since" is "${since}". Write an age, such as 30d, 12h or 90m, or a time in milliseconds.`,
    );
  return Date.now() - Number(count) * unitsMs[unit as keyof typeof unitsMs];
}

/**
 * The outer runs of a selection, newest first, page by page.
 *
 * @yields each run, without its journal.
 */
export async function* storedRuns(
  store: RunStore,
  { agent, since, tenantId, limit = Infinity }: RunSelection,
): AsyncIterable<StoredRun> {
  const search = {
    ...(tenantId === undefined ? { allTenants: true } : { tenantId }),
    ...(agent !== undefined && { agentId: agent }),
    ...(since !== undefined && { createdFrom: timeOf(since) }),
    limit: 100,
  };
  let left = limit;
  let after: string | undefined;
  do {
    const page = await store.searchRuns({ ...search, ...(after !== undefined && { after }) });
    for (const { run } of page.runs) {
      if (left <= 0) return;
      left -= 1;
      yield run;
    }
    after = page.next;
  } while (after !== undefined);
}

/** True for a run whose tools were faked: it proves nothing about production. */
export function isFaked(events: readonly JournalEvent[]): boolean {
  const start = events.find((event) => event.type === "run.start");
  return start?.faked !== undefined;
}
