/** Code points of a block. */
const blockSize = 256;
const unknown = 0xffff;

/**
 * A number for each code point, computed when it is first read. Blocks are allocated as texts need them: a text has few
 * scripts, and a lookup takes less time than in a map.
 *
 * @param compute - The number of a code point, below 0xffff.
 */
export function codePointTable(compute: (codePoint: number) => number): (codePoint: number) => number {
  const blocks: (Uint16Array | undefined)[] = Array.from({ length: 0x110000 / blockSize });
  return (codePoint) => {
    const block = (blocks[codePoint >>> 8] ??= new Uint16Array(blockSize).fill(unknown));
    const found = block[codePoint & 0xff] as number;
    return found === unknown ? (block[codePoint & 0xff] = compute(codePoint)) : found;
  };
}
