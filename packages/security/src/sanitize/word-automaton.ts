import { foldCharacter } from "./fold-character.ts";

/** Called with each word that a text holds; `true` ends the search. */
export type OnWord = (word: number, at: number) => boolean;

/** Finds which of many words a text holds, in one pass and without folding the text first. */
export interface WordAutomaton {
  /**
   * Looks for the words.
   *
   * @param text - Any text.
   * @param onWord - Called with the index of each word that is found, and the place where it ends: the number of folded
   *   characters before it, so that blanks and invisible characters make no distance. The search ends when it answers
   *   `true`.
   */
  find(text: string, onWord: OnWord): void;
}

/** Classes of characters: letters have those from `firstLetter` on. */
const other = 0;
const boundary = 1;
const firstLetter = 2;
const letters = "abcdefghijklmnopqrstuvwxyz_@";
const width = firstLetter + letters.length;
/** Rows of the dense table are this power of two wide. */
const shift = 5;
const stateMask = 0x7fff;
const endsHere = 0x8000;
/** Marks of units that are no class of the dense table. */
const dropped = 0x1000;
const expands = 0x1001;
const unknown = 0xffff;
const space = 0x20;
/** A character of another script that some word has: its number follows. */
const script = 0x2000;

const isWordCharacter = /[\p{L}\p{N}]/u;
/** Scripts that put blanks between words, where a word begins after something else than a letter. */
const spaced = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u;

/**
 * Builds an automaton.
 *
 * @param words - Words or phrases. A word in a script with blanks between words begins where a word of the text does;
 *   `$` at the end says that it ends there too.
 * @see Aho and Corasick, "Efficient string matching", 1975
 */
export function wordAutomaton(words: readonly string[]): WordAutomaton {
  const scripts = new Map<string, number>();
  const classes = new Uint16Array(0x10000).fill(unknown);

  const classOf = (folded: string): number => {
    const letter = letters.indexOf(folded);
    if (letter >= 0) return firstLetter + letter;
    if (!isWordCharacter.test(folded)) return boundary;
    const known = scripts.get(folded);
    return known === undefined ? other : script + known;
  };
  const classOfUnit = (unit: number): number => {
    const folded = foldCharacter(unit);
    if (folded === "") return dropped;
    return folded.length === 1 ? classOf(folded) : expands;
  };
  const next: Map<number, number>[] = [new Map()];
  const ends = new Map<number, number[]>();
  const step = (state: number, symbol: number): number => {
    let target = next[state]?.get(symbol);
    if (target === undefined) {
      target = next.length;
      next[state]?.set(symbol, target);
      next.push(new Map());
    }
    return target;
  };
  for (const [index, word] of words.entries()) {
    let state = 0;
    let last = -1;
    for (const symbol of symbolsOf(word, scripts, classOf)) {
      if (symbol === boundary && last === boundary) continue;
      state = step(state, symbol);
      last = symbol;
    }
    const ending = ends.get(state);
    if (ending === undefined) ends.set(state, [index]);
    else ending.push(index);
  }

  const table = completeTable(next, ends, scripts.size);
  const { dense, sparse, scriptRoots } = table;
  for (let unit = 0; unit < 128; unit += 1) classes[unit] = classOfUnit(unit);

  /** Cache of the symbols of characters that have two units, or fold to several characters. */
  const longer = new Map<number, Uint16Array>();
  const longerOf = (codePoint: number): Uint16Array => {
    let symbols = longer.get(codePoint);
    if (symbols === undefined) {
      symbols = Uint16Array.from(foldCharacter(codePoint), classOf);
      if (longer.size < 20_000) longer.set(codePoint, symbols);
    }
    return symbols;
  };
  const sparseStep = (state: number, symbol: number): number =>
    (state === 0 ? undefined : sparse.get(sparseKey(state, symbol))) ?? scriptRoots[symbol - script] ?? 0;
  const report = (state: number, at: number, onWord: OnWord): boolean => {
    let enough = false;
    const words = table.ends[state] ?? [];
    for (let index = 0; index < words.length; index += 1) enough = onWord(words[index] as number, at) || enough;
    return enough;
  };

  return {
    find(text, onWord) {
      // The text begins like a word, and ends like one.
      let state = (dense[boundary] ?? 0) & stateMask;
      let blank = true;
      let at = 0;
      for (let index = 0; index <= text.length; index += 1) {
        const unit = index < text.length ? text.charCodeAt(index) : space;
        const symbol = classes[unit] ?? unknown;
        if (symbol < width) {
          // Nearly every character comes here.
          if (symbol === boundary) {
            if (blank) continue;
            blank = true;
          } else blank = false;
          at += 1;
          const target = dense[(state << shift) | symbol] ?? 0;
          state = target & stateMask;
          if (target > stateMask && report(state, at, onWord)) return;
          continue;
        }
        if (symbol === dropped) continue;
        let codePoint = unit;
        if (symbol === unknown) {
          codePoint = text.codePointAt(index) ?? unit;
          if (codePoint > 0xffff) index += 1;
          else {
            classes[unit] = classOfUnit(unit);
            index -= 1;
            continue;
          }
        }
        const one = symbol >= script && symbol !== unknown;
        const symbols = one ? undefined : longerOf(codePoint);
        const count = symbols?.length ?? 1;
        for (let each = 0; each < count; each += 1) {
          const current = symbols?.[each] ?? symbol;
          if (current === boundary) {
            if (blank) continue;
            blank = true;
          } else blank = false;
          at += 1;
          const target = current < width ? (dense[(state << shift) | current] ?? 0) : sparseStep(state, current);
          state = target & stateMask;
          if (target > stateMask && report(state, at, onWord)) return;
        }
      }
    },
  };
}

/** Transitions of an automaton, including its fallbacks. A target's high bit means that words end there. */
interface Table {
  readonly dense: Uint16Array;
  /** Transitions on characters of other scripts, where they differ from those of the first state. */
  readonly sparse: ReadonlyMap<number, number>;
  readonly scriptRoots: Uint16Array;
  readonly ends: readonly (readonly number[])[];
}

const noEnds: readonly number[] = [];
const noRow: ReadonlyMap<number, number> = new Map();

const sparseKey = (state: number, symbol: number): number => state * 1024 + (symbol - script);

function completeTable(
  tree: readonly ReadonlyMap<number, number>[],
  treeEnds: ReadonlyMap<number, readonly number[]>,
  scriptCount: number,
): Table {
  // Breadth first, so that the states in which texts mostly are lie near each other in memory.
  const order = [0];
  for (let head = 0; head < order.length; head += 1) order.push(...(tree[order[head] ?? 0]?.values() ?? []));
  if (order.length > stateMask) throw new RangeError(`An automaton has at most ${stateMask} states.`);
  const numbers = new Uint16Array(order.length);
  for (const [number, node] of order.entries()) numbers[node] = number;

  const dense = new Uint16Array(order.length << shift);
  const rows: ReadonlyMap<number, number>[] = [];
  const scriptRoots = new Uint16Array(scriptCount);
  const fallback = new Uint16Array(order.length);
  const ends: (readonly number[])[] = [];
  for (const [state, node] of order.entries()) {
    const back = fallback[state] ?? 0;
    const own = treeEnds.get(node);
    const shared = (state === 0 ? undefined : ends[back]) ?? noEnds;
    ends.push(own === undefined ? shared : [...own, ...shared]);
    if (state !== 0) {
      dense.copyWithin(state << shift, back << shift, (back + 1) << shift);
    }
    // Most states add nothing to the row of the state that they fall back to: they share it.
    const inherited = (state === 0 ? undefined : rows[back]) ?? noRow;
    let row: Map<number, number> | undefined;
    for (const [symbol, child] of tree[node] ?? []) {
      const target = numbers[child] ?? 0;
      if (symbol < width) {
        fallback[target] = state === 0 ? 0 : (dense[(state << shift) | symbol] ?? 0);
        dense[(state << shift) | symbol] = target;
      } else {
        fallback[target] = state === 0 ? 0 : (inherited.get(symbol) ?? scriptRoots[symbol - script] ?? 0);
        if (state === 0) scriptRoots[symbol - script] = target;
        else (row ??= new Map(inherited)).set(symbol, target);
      }
    }
    rows.push(row ?? inherited);
  }
  const marked = (target: number): number => ((ends[target]?.length ?? 0) > 0 ? target | endsHere : target);
  // By index: the table has half a million places, and an iterator would make an object for each.
  for (let slot = 0; slot < dense.length; slot += 1) dense[slot] = marked(dense[slot] ?? 0);
  for (let slot = 0; slot < scriptRoots.length; slot += 1) scriptRoots[slot] = marked(scriptRoots[slot] ?? 0);
  const sparse = new Map<number, number>();
  for (const [state, row] of rows.entries())
    for (const [symbol, target] of row) sparse.set(sparseKey(state, symbol), marked(target));
  return { dense, sparse, scriptRoots, ends };
}

/** The symbols of a word; characters of other scripts are numbered on first use. */
function symbolsOf(word: string, scripts: Map<string, number>, classOf: (folded: string) => number): number[] {
  const symbols: number[] = [];
  const whole = word.endsWith("$");
  const plain = whole ? word.slice(0, -1) : word;
  if (spaced.test(plain.charAt(0))) symbols.push(boundary);
  for (const character of plain) {
    for (const folded of foldCharacter(character.codePointAt(0) ?? 0)) {
      if (classOf(folded) === other) scripts.set(folded, scripts.size);
      symbols.push(classOf(folded));
    }
  }
  if (whole) symbols.push(boundary);
  return symbols;
}
