/** Counters in a session's state: whole numbers that grow by one at a time. */
export interface Counters {
  /** Remembers a value of the state. */
  set(key: string, value: unknown): void;
  /** True if a new value of a key is one more than the last one, or the first of a counter. */
  isStep(key: string, value: unknown): boolean;
  /** True for a number that a key has, or had in this run. */
  readonly isCount: (value: number) => boolean;
  /** True for a number that a counter may have had in an earlier run. */
  readonly mayHaveBeen: (value: number) => boolean;
}

/** True if a value is one more than the last one, or the first of a counter. */
export function isStepFrom(before: unknown, value: unknown): boolean {
  if (before === undefined) return value === 0 || value === 1;
  return Number.isSafeInteger(before) && value === (before as number) + 1;
}

/** Makes an empty list of counters. */
export function createCounters(): Counters {
  let counts: Map<string, number> | undefined;
  const seen = new Set<number>();
  return {
    set(key, value) {
      if (!Number.isSafeInteger(value) || (value as number) < 0) {
        counts?.delete(key);
        return;
      }
      (counts ??= new Map<string, number>()).set(key, value as number);
      seen.add(value as number);
    },
    isStep(key, value) {
      return isStepFrom(counts?.get(key), value);
    },
    isCount: (value) => seen.has(value),
    mayHaveBeen: (value) => [...(counts?.values() ?? [])].some((count) => value <= count),
  };
}
