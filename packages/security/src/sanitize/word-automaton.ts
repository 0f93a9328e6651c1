import { codePointTable } from "./code-point-table.ts";
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
/** The first half of a character beyond the basic plane. */
const halfOfPair = 0x1001;
/** A character of another script that some word has: its number is added. */
const script = 0x2000;
/** A character that folds to several: the place of their classes is added. */
const expands = 0x4000;
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
  let building = true;
  const classOf = (folded: string): number => {
    let symbol = known.get(folded) ?? (isWordCharacter.test(folded) ? other : boundary);
    if (building && symbol === other) known.set(folded, (symbol = script + known.size));
    return symbol;
  };
  const classesOf = (codePoint: number): readonly number[] => Array.from(foldCharacter(codePoint), classOf);
  /** Classes of the characters of the words, which have few different ones. */
  const classesInWords = new Map<string, readonly number[]>();
  const {
    dense,
    targetOf: otherTarget,
    endOf,
    nextWord,
  } = tableOf(
    words.map((word) => {
      const text = word.replace("$", "");
      const symbols = spaced.test(text.charAt(0)) ? [boundary] : [];
      for (const character of text) {
        let classes = classesInWords.get(character);
        if (classes === undefined)
          classesInWords.set(character, (classes = classesOf(character.codePointAt(0) as number)));
        symbols.push(...classes);
      }
      if (text !== word) symbols.push(boundary);
      return symbols.filter((symbol, index) => symbol !== boundary || symbols[index - 1] !== boundary);
    }),
  );
  building = false;
  const targetOf = (state: number, symbol: number): number =>
    symbol < width ? (dense[(state << shift) | symbol] as number) : otherTarget(state, symbol);

  /** Classes of the characters that fold to several. */
  const expansions: (readonly number[])[] = [];
  const classOfCharacter = (codePoint: number): number => {
    if (codePoint >= 0xd800 && codePoint < 0xdc00) return halfOfPair;
    const symbols = classesOf(codePoint);
    if (symbols.length < 2) return symbols[0] ?? dropped;
    return expands + expansions.push(symbols) - 1;
  };
  const classes = new Uint16Array(0x10000).fill(unknown);
  const classOfPair = codePointTable(classOfCharacter);

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
        if (symbol === unknown) symbol = classes[unit] = classOfCharacter(unit);
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
        if (symbol === halfOfPair) {
          const codePoint = text.codePointAt(index) as number;
          // Half of a character alone is none of a word.
          symbol = codePoint > 0xffff ? classOfPair(codePoint) : boundary;
          if (codePoint > 0xffff) index += 1;
        }
        if (symbol >= expands) {
          const symbols = expansions[symbol - expands] as readonly number[];
          for (let part = 0; part < symbols.length; part += 1) {
            const each = symbols[part] as number;
            if (each === boundary && blank) continue;
            blank = each === boundary;
            at += 1;
            state = targetOf(state, each);
            if (endOf[state] !== 0 && hear(state)) return;
          }
          continue;
        }
        if (symbol === dropped || (symbol === boundary && blank)) continue;
        blank = symbol === boundary;
        at += 1;
        state = targetOf(state, symbol);
        if (endOf[state] !== 0 && hear(state)) return;
      }
    },
  };
}

interface Table {
  /** Targets of a state on the characters that have a column, a row of `1 << shift` for each state. */
  readonly dense: Uint16Array;
  /** Target of a state on a character of another script. */
  targetOf(state: number, symbol: number): number;
  /** The first word that ends in a state, and the next one that ends at a word's end; counted from 1, 0 for none. */
  readonly endOf: Uint16Array;
  readonly nextWord: Uint16Array;
}

/** Creates the states of all words character by character, so that frequent states are near each other in memory. */
function tableOf(words: readonly (readonly number[])[]): Table {
  let dense = new Uint16Array(maxStates << shift);
  /** Targets on characters of other scripts, by state. A state inherits those of its fallback, except the first one's. */
  const others: (Map<number, number> | undefined)[] = [];
  /** The same of the first state, where most characters are read, by symbol. */
  const fromStart = new Uint16Array(script);
  /** The state of the longest proper suffix that is also the beginning of a word. */
  const fallback = new Uint16Array(maxStates);
  const endOf = new Uint16Array(maxStates);
  const nextWord = new Uint16Array(words.length + 1);
  const targetOf = (from: number, symbol: number): number =>
    symbol < width
      ? (dense[(from << shift) | symbol] as number)
      : (others[from]?.get(symbol) ?? (fromStart[symbol - script] as number));

  /** The state in which each word is. */
  const places = new Uint16Array(words.length);
  let size = 1;
  for (let depth = 0, first = 0; first < size; depth += 1) {
    const end = size;
    for (; first < end; first += 1) {
      const back = fallback[first] as number;
      dense.copyWithin(first << shift, back << shift, (back + 1) << shift);
      endOf[first] = endOf[back] as number;
      if (others[back] !== undefined) others[first] = new Map(others[back]);
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
          else if (state === 0) fromStart[symbol - script] = target;
          else (others[state] ??= new Map<number, number>()).set(symbol, target);
        }
        places[word - 1] = target;
      } else if (depth === words[word - 1]?.length) {
        nextWord[word] = endOf[state] as number;
        endOf[state] = word;
      }
    }
  }
  dense = dense.slice(0, size << shift);
  return { dense, targetOf: otherTargets(others, fromStart), endOf, nextWord };
}

/** The targets on characters of other scripts, in one hash table without lists: a lookup is mostly one comparison. */
function otherTargets(
  others: readonly (ReadonlyMap<number, number> | undefined)[],
  fromStart: Uint16Array,
): Table["targetOf"] {
  const count = others.reduce((sum, targets) => sum + (targets?.size ?? 0), 0);
  const mask = (1 << (34 - Math.clz32(count))) - 1;
  const keys = new Int32Array(mask + 1);
  const targetAt = new Uint16Array(mask + 1);
  const hasTargets = new Uint8Array(maxStates);
  const slotOf = (key: number): number => (Math.imul(key, 0x9e3779b1) >>> 7) & mask;
  for (const [state, targets] of others.entries()) {
    for (const [symbol, target] of targets ?? []) {
      const key = (state << 13) | (symbol - script);
      let slot = slotOf(key);
      while (keys[slot] !== 0) slot = (slot + 1) & mask;
      keys[slot] = key;
      targetAt[slot] = target;
      hasTargets[state] = 1;
    }
  }
  return (from, symbol) => {
    const start = fromStart[symbol - script] as number;
    if (hasTargets[from] === 0) return start;
    const key = (from << 13) | (symbol - script);
    for (let slot = slotOf(key); ; slot = (slot + 1) & mask) {
      if (keys[slot] === key) return targetAt[slot] as number;
      if (keys[slot] === 0) return start;
    }
  };
}
