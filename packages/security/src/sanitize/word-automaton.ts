import { foldCharacter } from "./fold-character.ts";

/** Called with each word that a text contains; return `true` to end the search. */
type OnWord = (word: number, at: number) => boolean;

/** Finds which of many words a text contains, in one pass and without folding the text first. */
export interface WordAutomaton {
  /**
   * Looks for the words.
   *
   * @param text - Any text.
   * @param onWord - Called with the index of each word that is found, and the place where it ends: the number of folded
   *   characters before it, so that blanks and invisible characters make no distance. Return `true` to end the search.
   */
  find(text: string, onWord: OnWord): void;
}

/** Classes of characters. Those below `width` have a column in the dense table, whose rows are `1 << shift` wide. */
const other = 0;
const boundary = 1;
const firstLetter = 2;
const letters = "abcdefghijklmnopqrstuvwxyz_@";
const width = firstLetter + letters.length;
const shift = 5;
/** A unit that folds to nothing. */
const dropped = 0x1000;
/** A unit that folds to several characters, or is the first half of one. */
const expands = 0x1001;
/** A character of another script that some word has: its number is added. */
const script = 0x2000;
/** A unit that no text contained so far. */
const unknown = 0xffff;
const maxStates = 0x8000;
const space = 0x20;

const isWordCharacter = /[\p{L}\p{N}]/u;
/** Scripts with blanks between words: a word begins after anything except a letter. */
const spaced = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u;

/**
 * Builds an automaton.
 *
 * @param words - Words or phrases. A word in a script with blanks between words begins where a word of the text does;
 *   `$` at the end says that it ends there too.
 * @see Aho and Corasick, "Efficient string matching", 1975
 */
export function wordAutomaton(words: readonly string[]): WordAutomaton {
  const known = new Map(Array.from(letters, (letter, index) => [letter, firstLetter + index]));
  /** Cache of the classes of what a character folds to. */
  const cache = new Map<number, readonly number[]>();
  let building = true;
  const classOf = (folded: string): number => {
    let symbol = known.get(folded) ?? (isWordCharacter.test(folded) ? other : boundary);
    if (building && symbol === other) known.set(folded, (symbol = script + known.size));
    return symbol;
  };
  const classesOf = (codePoint: number): readonly number[] => {
    let symbols = cache.get(codePoint);
    if (symbols === undefined) {
      symbols = Array.from(foldCharacter(codePoint), classOf);
      if (cache.size < 20_000) cache.set(codePoint, symbols);
    }
    return symbols;
  };
  const { dense, targetOf, endOf, nextWord } = tableOf(
    words.map((word) => {
      const text = word.replace("$", "");
      const symbols = spaced.test(text.charAt(0)) ? [boundary] : [];
      for (const character of text) symbols.push(...classesOf(character.codePointAt(0) as number));
      if (text !== word) symbols.push(boundary);
      return symbols.filter((symbol, index) => symbol !== boundary || symbols[index - 1] !== boundary);
    }),
  );
  building = false;
  cache.clear();

  const classes = new Uint16Array(0x10000).fill(unknown);
  const classOfUnit = (unit: number): number => {
    const folded = foldCharacter(unit);
    if (folded === "") return dropped;
    return folded.length > 1 || (unit >= 0xd800 && unit < 0xdc00) ? expands : classOf(folded);
  };

  return {
    find(text, onWord) {
      let at = 0;
      const hear = (state: number): boolean => {
        let enough = false;
        for (let word = endOf[state] as number; word !== 0; word = nextWord[word] as number)
          enough = onWord(word - 1, at) || enough;
        return enough;
      };
      // The text begins like a word, and ends like one.
      let state = targetOf(0, boundary);
      let blank = true;
      for (let index = 0; index <= text.length; index += 1) {
        const unit = index < text.length ? text.charCodeAt(index) : space;
        let symbol = classes[unit] as number;
        if (symbol === unknown) symbol = classes[unit] = classOfUnit(unit);
        // Fast path: most characters have a column in the dense table.
        if (symbol < width) {
          if (symbol === boundary) {
            if (blank) continue;
            blank = true;
          } else blank = false;
          at += 1;
          state = dense[(state << shift) | symbol] as number;
          if (endOf[state] !== 0 && hear(state)) return;
          continue;
        }
        if (symbol === dropped) continue;
        let symbols: readonly number[] = [symbol];
        if (symbol === expands) {
          const codePoint = text.codePointAt(index) as number;
          if (codePoint > 0xffff) index += 1;
          symbols = classesOf(codePoint);
        }
        for (const each of symbols) {
          if (each === boundary && blank) continue;
          blank = each === boundary;
          at += 1;
          state = targetOf(state, each);
          if (hear(state)) return;
        }
      }
    },
  };
}

interface Table {
  /** Targets of a state on the characters that have a column, a row of `1 << shift` for each state. */
  readonly dense: Uint16Array;
  targetOf(state: number, symbol: number): number;
  /** The first word that ends in a state, and the next one that ends at a word's end; counted from 1, 0 for none. */
  readonly endOf: Uint16Array;
  readonly nextWord: Uint16Array;
}

/** Creates the states of all words character by character, so that frequent states are near each other in memory. */
function tableOf(words: readonly (readonly number[])[]): Table {
  let dense = new Uint16Array(maxStates << shift);
  /** Targets on characters of other scripts, by state and symbol; a state inherits those of its fallback. */
  const edges = new Map<number, number>();
  /** The state of the longest proper suffix that is also the beginning of a word. */
  const fallback = new Uint16Array(maxStates);
  const endOf = new Uint16Array(maxStates);
  const nextWord = new Uint16Array(words.length + 1);
  const targetOf = (from: number, symbol: number): number => {
    if (symbol < width) return dense[(from << shift) | symbol] as number;
    for (let state = from; ; state = fallback[state] as number) {
      const target = edges.get((state << 13) | (symbol - script));
      if (target !== undefined || state === 0) return target ?? 0;
    }
  };

  /** The state in which each word is. */
  const places = new Uint16Array(words.length);
  let size = 1;
  for (let depth = 0, first = 0; first < size; depth += 1) {
    const end = size;
    for (; first < end; first += 1) {
      const back = fallback[first] as number;
      dense.copyWithin(first << shift, back << shift, (back + 1) << shift);
      endOf[first] = endOf[back] as number;
    }
    // Starts at the last word, so that words that end in one state keep their order.
    for (let word = words.length; word > 0; word -= 1) {
      const symbol = words[word - 1]?.[depth];
      const state = places[word - 1] as number;
      if (symbol !== undefined) {
        let target = targetOf(state, symbol);
        if (target < end) {
          if (size === maxStates) throw new RangeError(`An automaton has at most ${maxStates} states.`);
          fallback[size] = target;
          target = size;
          size += 1;
          if (symbol < width) dense[(state << shift) | symbol] = target;
          else edges.set((state << 13) | (symbol - script), target);
        }
        places[word - 1] = target;
      } else if (depth === words[word - 1]?.length) {
        nextWord[word] = endOf[state] as number;
        endOf[state] = word;
      }
    }
  }
  dense = dense.slice(0, size << shift);
  return { dense, targetOf, endOf, nextWord };
}
