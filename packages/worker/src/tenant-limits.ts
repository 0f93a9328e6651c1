const minuteMs = 60_000;

/** Counts the tokens of each tenant's runs in this process, and names the tenants that have to wait. */
export interface TenantMeter {
  /** True if the tokens of a tenant are limited. */
  readonly countsTokens: boolean;
  /** @param tokens - Number of tokens spent since the run was started or resumed here. */
  ended(tenantId: string | undefined, tokens: number): void;
  /** Tenants that are at the limit. */
  atLimit(): readonly (string | undefined)[];
  /** Time at which a tenant at the limit may continue, in milliseconds since the epoch. */
  freeAt(): number | undefined;
}

/** Creates the meter of one worker. */
export function tenantMeter(tokensPerMinute: number | undefined, now: () => number): TenantMeter {
  const tenants = new Map<string | undefined, { readonly at: number; readonly count: number }[]>();

  /** The entries of each tenant at the limit; those that are older than a minute are dropped. */
  function full(): readonly (readonly [tenantId: string | undefined, since: number])[] {
    const since = now() - minuteMs;
    return [...tenants].flatMap(([tenantId, before]) => {
      const spent = before.filter(({ at }) => at > since);
      const [first] = spent;
      if (first === undefined) tenants.delete(tenantId);
      else tenants.set(tenantId, spent);
      const tokens = spent.reduce((sum, { count }) => sum + count, 0);
      return first !== undefined && tokens >= (tokensPerMinute ?? Infinity) ? [[tenantId, first.at] as const] : [];
    });
  }

  return {
    countsTokens: tokensPerMinute !== undefined,
    ended(tenantId, count) {
      if (tokensPerMinute === undefined || count <= 0) return;
      tenants.set(tenantId, [...(tenants.get(tenantId) ?? []), { at: now(), count }]);
    },
    atLimit: () => full().map(([tenantId]) => tenantId),
    freeAt() {
      const times = full().map(([, at]) => at + minuteMs);
      return times.length === 0 ? undefined : Math.min(...times);
    },
  };
}
