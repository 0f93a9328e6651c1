/**
 * Draws a number from 0 to 1 for a name. Equal names have equal numbers, and no draw depends on another one: without a
 * fault, all other faults of a history stay the same.
 *
 * @param seed - Number of the history.
 * @param name - Name of the draw, such as that of a choice point.
 */
export function draw(seed: number, name: string): number {
  let hash = 0x811c9dc5 ^ Math.imul(seed, 0x9e3779b1);
  for (let index = 0; index < name.length; index += 1) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  return mixed(hash) / 0x1_0000_0000;
}

/** Makes a stream of numbers from 0 to 1. */
export function stream(seed: number, name: string): () => number {
  let state = Math.floor(draw(seed, name) * 0x1_0000_0000);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    return mixed(state) / 0x1_0000_0000;
  };
}

/** Spreads the bits of a 32-bit number. */
function mixed(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
