/** The first result of a check that is not undefined, over a list. */
export function firstFound<T, R>(items: readonly T[], check: (item: T, index: number) => R | undefined): R | undefined {
  for (const [index, item] of items.entries()) {
    const found = check(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}
