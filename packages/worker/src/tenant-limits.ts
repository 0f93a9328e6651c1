import type { TenantLimits } from "./options.ts";

const minuteMs = 60_000;

/** Counts the usage of each tenant's runs, and names the tenants that have to wait. */
export interface TenantMeter {
  /** True if a claim takes one run at a time, because a second one could exceed a limit. */
  readonly oneByOne: boolean;
  /** True if a tenant's tokens are limited. */
  readonly countsTokens: boolean;
  started(tenantId: string | undefined): void;
  /** @param tokens - Number of tokens spent since the run was started or resumed here. */
  ended(tenantId: string | undefined, tokens: number): void;
  /** Tenants that are at a limit. */
  atLimit(): readonly (string | undefined)[];
  /** Time at which a tenant over its limit per minute may continue, in milliseconds since the epoch. */
  freeAt(): number | undefined;
}

interface Used {
  driven: number;
  /** Start times of runs. */
  starts: number[];
  tokens: { readonly at: number; readonly count: number }[];
}

/** Creates the meter of one worker. */
export function tenantMeter(limits: TenantLimits, now: () => number): TenantMeter {
  const { concurrency, runsPerMinute, tokensPerMinute } = limits;
  const oneByOne = concurrency !== undefined || runsPerMinute !== undefined || tokensPerMinute !== undefined;
  const tenants = new Map<string | undefined, Used>();

  function usedBy(tenantId: string | undefined): Used {
    const known = tenants.get(tenantId);
    if (known !== undefined) return known;
    const used: Used = { driven: 0, starts: [], tokens: [] };
    tenants.set(tenantId, used);
    return used;
  }

  /** Drops entries that are older than a minute. */
  function tidy(): void {
    const since = now() - minuteMs;
    for (const [tenantId, used] of tenants) {
      used.starts = used.starts.filter((at) => at > since);
      used.tokens = used.tokens.filter(({ at }) => at > since);
      if (used.driven === 0 && used.starts.length === 0 && used.tokens.length === 0) tenants.delete(tenantId);
    }
  }

  const overRuns = ({ starts }: Used): boolean => runsPerMinute !== undefined && starts.length >= runsPerMinute;
  const overTokens = ({ tokens }: Used): boolean =>
    tokensPerMinute !== undefined && tokens.reduce((sum, { count }) => sum + count, 0) >= tokensPerMinute;

  return {
    oneByOne,
    countsTokens: tokensPerMinute !== undefined,
    started(tenantId) {
      if (!oneByOne) return;
      const used = usedBy(tenantId);
      used.driven += 1;
      used.starts.push(now());
    },
    ended(tenantId, count) {
      if (!oneByOne) return;
      const used = usedBy(tenantId);
      used.driven -= 1;
      if (count > 0) used.tokens.push({ at: now(), count });
    },
    atLimit() {
      tidy();
      const full = (used: Used): boolean =>
        (concurrency !== undefined && used.driven >= concurrency) || overRuns(used) || overTokens(used);
      return [...tenants].filter(([, used]) => full(used)).map(([tenantId]) => tenantId);
    },
    freeAt() {
      tidy();
      const times = [...tenants.values()].flatMap((used) => [
        ...(overRuns(used) ? [(used.starts[0] ?? now()) + minuteMs] : []),
        ...(overTokens(used) ? [(used.tokens[0]?.at ?? now()) + minuteMs] : []),
      ]);
      return times.length === 0 ? undefined : Math.min(...times);
    },
  };
}
