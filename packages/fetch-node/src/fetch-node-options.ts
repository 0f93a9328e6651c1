/** How connections are kept. */
export interface FetchNodeOptions {
  /** Connections per host; default unlimited. */
  readonly connections?: number | undefined;
  /** How long an idle connection is kept, in milliseconds; default 4,000. */
  readonly keepAliveTimeoutMs?: number | undefined;
  /** Longest silence within a body, in milliseconds; default 300,000; `0` is unlimited. */
  readonly bodyTimeoutMs?: number | undefined;
}

/** The least that each option may be; the compiler checks that none is forgotten. */
const least: { readonly [Name in keyof Required<FetchNodeOptions>]: number } = {
  connections: 1,
  keepAliveTimeoutMs: 1,
  bodyTimeoutMs: 0,
};

/**
 * Refuses options before the first request: undici would fail that one, or continue without them.
 *
 * @param options - As they were given.
 * @throws TypeError for an option that there is not, or a value that it cannot have.
 */
export function checkFetchNodeOptions(options: FetchNodeOptions): void {
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    if (!Object.hasOwn(least, name))
      throw new TypeError(`"${name}" is not an option of fetchNode(). It has ${Object.keys(least).join(", ")}.`);
    const from = least[name as keyof typeof least];
    if (value !== undefined && !(Number.isSafeInteger(value) && (value as number) >= from))
      throw new TypeError(`fetchNode() takes a whole number from ${from} as "${name}".`);
  }
}
