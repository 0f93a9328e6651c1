/** A source of repeatable choices. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** Whole number in [from, to]. */
  between(from: number, to: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/**
 * A small repeatable generator (mulberry32): the same seed gives the same shop on every machine.
 *
 * @param seed - Any 32-bit number.
 */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    between,
    pick(items) {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new RangeError("Nothing to pick from.");
      return item;
    },
  };
}
