import { foldCharacter } from "./fold-character.ts";

const width = 128;

/** Finds which of many stems occur in a text, in one pass and without folding the text first. */
export interface StemAutomaton {
  /** Indexes of the stems that occur in the folded text, as a set. */
  find(text: string): ReadonlySet<number>;
}

const nothing: ReadonlySet<number> = new Set();

/**
 * Builds an automaton for stems in lower-case ASCII.
 *
 * @param stems - What is looked for.
 * @see Aho and Corasick, "Efficient string matching", 1975
 */
export function stemAutomaton(stems: readonly string[]): StemAutomaton {
  // No more states than letters, and the one where it begins.
  const next = new Int16Array((stems.join("").length + 1) * width).fill(-1);
  const ends: number[][] = [[]];
  for (const [index, stem] of stems.entries()) {
    let state = 0;
    for (const character of stem) {
      const slot = state * width + character.charCodeAt(0);
      if (next[slot] === -1) {
        next[slot] = ends.length;
        ends.push([]);
      }
      state = next[slot] ?? 0;
    }
    ends[state]?.push(index);
  }
  const table = new Uint16Array(ends.length * width);
  for (let slot = 0; slot < table.length; slot += 1) table[slot] = Math.max(0, next[slot] ?? 0);
  const fallback = new Uint16Array(ends.length);
  const queue: number[] = [];
  for (let code = 0; code < width; code += 1) if ((next[code] ?? -1) > 0) queue.push(next[code] ?? 0);
  for (let state = queue.shift(); state !== undefined; state = queue.shift()) {
    const other = fallback[state] ?? 0;
    ends[state]?.push(...(ends[other] ?? []));
    for (let code = 0; code < width; code += 1) {
      const slot = state * width + code;
      const target = next[slot] ?? -1;
      const shared = table[other * width + code] ?? 0;
      if (target === -1) table[slot] = shared;
      else {
        fallback[target] = shared;
        queue.push(target);
      }
    }
  }
  // Upper case takes the way of lower case.
  for (let state = 0; state < ends.length; state += 1) {
    for (let code = 65; code <= 90; code += 1) table[state * width + code] = table[state * width + code + 32] ?? 0;
  }
  const final = Uint8Array.from(ends, (list) => (list.length > 0 ? 1 : 0));

  return {
    find(text) {
      let found: Set<number> | undefined;
      let state = 0;
      for (let index = 0; index < text.length; index += 1) {
        const unit = text.charCodeAt(index);
        if (unit < width) {
          state = table[state * width + unit] ?? 0;
          if (final[state] === 1) for (const stem of ends[state] ?? []) (found ??= new Set()).add(stem);
          continue;
        }
        let codePoint = unit;
        if (unit >= 0xd800 && unit <= 0xdbff) {
          codePoint = text.codePointAt(index) ?? unit;
          if (codePoint > 0xffff) index += 1;
        }
        const folded = foldCharacter(codePoint);
        for (let at = 0; at < folded.length; at += 1) {
          const code = folded.charCodeAt(at);
          state = code < width ? (table[state * width + code] ?? 0) : 0;
          if (final[state] === 1) for (const stem of ends[state] ?? []) (found ??= new Set()).add(stem);
        }
      }
      return found ?? nothing;
    },
  };
}
