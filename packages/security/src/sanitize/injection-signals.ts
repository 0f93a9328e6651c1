import { concepts, injectionWords, type Concept } from "./phrases/injection-words.ts";
import { phrasesOf } from "./phrases/phrases-of.ts";
import { wordAutomaton, type WordAutomaton } from "./word-automaton.ts";

/** A name under which a finding is reported. */
type InjectionFinding =
  | "override-instructions"
  | "new-role"
  | "system-voice"
  | "secrecy"
  | "order-to-assistant"
  | "call-to-tool"
  | "data-theft";

/** Words near each other that indicate an attack. One signal alone is rarely enough: their weights are added. */
interface Signal {
  readonly finding: InjectionFinding;
  /** Meanings that have to be near each other. */
  readonly near: readonly Concept[];
  /** Folded characters between the first of them and the last. */
  readonly span: number;
  readonly weight: number;
}

/** Sum of weights from which a text counts as addressed to a model. */
const threshold = 4;
/** Folded characters within which signals add up. */
const windowSize = 260;
/** Folded characters within which the speaker's own words withdraw an order. */
const ownWords = 70;
/** Folded characters after an order within which a negation still belongs to it. */
const negationSpan = 16;

const signals: readonly Signal[] = [
  { finding: "override-instructions", near: ["drop", "rules"], span: 70, weight: 2 },
  { finding: "override-instructions", near: ["drop", "rules", "prior"], span: 90, weight: 2 },
  { finding: "new-role", near: ["role"], span: 0, weight: 1 },
  { finding: "new-role", near: ["newRole"], span: 0, weight: 3 },
  { finding: "new-role", near: ["unbound"], span: 0, weight: 1 },
  { finding: "new-role", near: ["role", "unbound"], span: 80, weight: 2 },
  { finding: "system-voice", near: ["system"], span: 0, weight: 2 },
  { finding: "system-voice", near: ["reveal", "prompt"], span: 50, weight: 4 },
  { finding: "secrecy", near: ["hushUser"], span: 0, weight: 4 },
  { finding: "secrecy", near: ["hush"], span: 0, weight: 1 },
  { finding: "order-to-assistant", near: ["machine"], span: 0, weight: 1 },
  { finding: "order-to-assistant", near: ["call"], span: 0, weight: 3 },
  { finding: "order-to-assistant", near: ["call", "order"], span: 120, weight: 1 },
  { finding: "order-to-assistant", near: ["call", "act"], span: 120, weight: 1 },
  { finding: "order-to-assistant", near: ["task"], span: 0, weight: 3 },
  { finding: "order-to-assistant", near: ["task", "order"], span: 120, weight: 1 },
  { finding: "call-to-tool", near: ["useTool", "tool", "code"], span: 50, weight: 2 },
  { finding: "call-to-tool", near: ["code", "order"], span: 80, weight: 1 },
  { finding: "data-theft", near: ["act", "secret"], span: 90, weight: 1 },
  { finding: "data-theft", near: ["act", "address"], span: 90, weight: 1 },
];

/** Meanings that withdraw signals: people correct themselves, and write about ordinary rules and roles. */
const retractions: Readonly<Partial<Record<Concept, { readonly takes: readonly number[]; readonly within: number }>>> =
  {
    own: { takes: [1], within: ownWords },
    topic: { takes: [0, 1], within: ownWords },
    honestRole: { takes: [2, 3], within: 30 },
    honestCall: { takes: [11, 12, 13], within: 30 },
  };

const numberOf = (concept: Concept): number => concepts.indexOf(concept);
const [keep, drop, own] = [numberOf("keep"), numberOf("drop"), numberOf("own")];
/** The signal that a speaker's own words, and an ordinary subject, withdraw. */
const overrides = signals.findIndex(({ near }) => near.includes("prior"));

interface Tables {
  readonly automaton: WordAutomaton;
  /** The meaning of each word. */
  readonly meaning: Uint8Array;
}

/** Built with the first text, so that a process without one does not pay for it. */
let tables: Tables | undefined;

/** The words of a meaning in all scripts. */
const wordsOf = (concept: number): ReadonlySet<string> =>
  new Set(injectionWords.flatMap((script) => phrasesOf(script[concept] ?? "")));

function buildTables(): Tables {
  const words: string[] = [];
  const meaning: number[] = [];
  for (const index of concepts.keys()) {
    for (const word of wordsOf(index)) {
      words.push(word);
      meaning.push(index);
    }
  }
  return { automaton: wordAutomaton(words), meaning: Uint8Array.from(meaning) };
}

interface SignalPart {
  readonly signal: number;
  readonly needs: readonly number[];
  readonly span: number;
}

/** Signals that a meaning takes part in, with the meanings that each needs. */
const signalsOf: readonly (readonly SignalPart[])[] = concepts.map((concept) =>
  signals.flatMap(({ near, span }, signal) =>
    near.includes(concept) ? [{ signal, needs: near.map((each) => numberOf(each)), span }] : [],
  ),
);
const retractionOf = concepts.map((concept) => retractions[concept]);

/** Number of kinds of findings after which the search ends. */
const enoughFindings = 3;
/** Folded characters without another finding after which the search of a hostile text ends. */
const repetitive = 4_000;
/** Number of signals that are collected before they are summed. */
const batch = 128;
/** Folded characters after which a signal can no longer be withdrawn. */
const settled = 100;
const longAgo = -1_000_000;
/** Number of folded characters within which a signal counts once. */
const repeatSpan = 40;

/**
 * Searches for text that addresses a model.
 *
 * @param text - Any text.
 * @param found - Receives the names of the findings; after three of them the search ends.
 */
function findSignals(text: string, found: Set<InjectionFinding>): void {
  const { automaton, meaning } = (tables ??= buildTables());
  // Most texts contain none of the words, and need no memory.
  let search: Search | undefined;
  automaton.find(text, (word, at) => hear((search ??= newSearch()), meaning[word] ?? 0, at, found));
  if (search !== undefined) addUp(search.waiting, search.lastAt, found);
}

/** Signals and places of one text so far. */
interface Search {
  /** The last place of each meaning. */
  readonly last: Int32Array;
  /** The last place of each signal that was summed. */
  readonly lastAt: Int32Array;
  /** The last place of each signal that was formed. */
  readonly formedAt: Int32Array;
  keptAt: number;
  /** Number of findings when one was last added, and the place. */
  findings: number;
  foundAt: number;
  waiting: Formed[];
}

function newSearch(): Search {
  const places = (count: number): Int32Array => new Int32Array(count).fill(longAgo);
  return {
    last: places(concepts.length),
    lastAt: places(signals.length),
    formedAt: places(signals.length),
    keptAt: longAgo,
    findings: 0,
    foundAt: 0,
    waiting: [],
  };
}

/** Processes the next word of a text. @returns true if the search can end. */
function hear(search: Search, concept: number, at: number, found: Set<InjectionFinding>): boolean {
  const { last, lastAt, formedAt } = search;
  if (concept === keep) {
    search.keptAt = at;
    if (at - (last[drop] ?? longAgo) > negationSpan) return false;
    last[drop] = longAgo;
    takeBack(search, at - negationSpan, [overrides - 1, overrides]);
    return false;
  }
  if (concept === drop && search.keptAt === at) return false;
  last[concept] = at;
  const parts = signalsOf[concept] ?? [];
  for (let index = 0; index < parts.length; index += 1) {
    const { signal, needs, span } = parts[index] as SignalPart;
    // Fast path: the same signal has just been counted.
    if (at - (formedAt[signal] ?? longAgo) < repeatSpan) continue;
    if (signal === overrides && at - (last[own] ?? longAgo) <= ownWords) continue;
    if (!areNear(last, needs, at - span)) continue;
    formedAt[signal] = at;
    search.waiting.push({ signal, at });
  }
  const retraction = retractionOf[concept];
  if (retraction !== undefined) takeBack(search, at - retraction.within, retraction.takes);
  const { waiting } = search;
  if (waiting.length < batch || (waiting[0]?.at ?? at) > at - settled) return false;
  addUp(
    waiting.filter((formed) => formed.at <= at - settled),
    lastAt,
    found,
  );
  search.waiting = waiting.filter((formed) => formed.at > at - settled);
  return isEnough(search, at, found.size);
}

/** True if there are enough kinds of findings, or none was added for a long time after the first. */
function isEnough(search: Search, at: number, size: number): boolean {
  if (search.findings !== size) {
    search.findings = size;
    search.foundAt = at;
  }
  return size >= enoughFindings || (size > 0 && at - search.foundAt > repetitive);
}

function takeBack({ waiting, formedAt }: Search, from: number, taken: readonly number[]): void {
  for (const formed of waiting) {
    if (formed.at < from || !taken.includes(formed.signal)) continue;
    formedAt[formed.signal] = longAgo;
    formed.signal = takenBack;
  }
}

/** A signal, and the place where the last of its words ends. */
interface Formed {
  signal: number;
  readonly at: number;
}

const takenBack = -1;

function areNear(last: Int32Array, needs: readonly number[], from: number): boolean {
  for (let index = 0; index < needs.length; index += 1)
    if ((last[needs[index] as number] ?? longAgo) < from) return false;
  return true;
}

/** Adds the weights of the signals that are near each other. */
function addUp(formed: readonly Formed[], lastAt: Int32Array, found: Set<InjectionFinding>): void {
  for (const { signal: event, at } of formed) {
    const finding = signals[event]?.finding;
    if (finding === undefined) continue;
    lastAt[event] = at;
    // Fast path: the sum would be the same.
    if (found.has(finding)) continue;
    const active = signals.filter((_, signal) => at - (lastAt[signal] ?? longAgo) <= windowSize);
    if (active.reduce((sum, { weight }) => sum + weight, 0) < threshold) continue;
    for (const each of active) found.add(each.finding);
  }
}

const encoded = /[A-Za-z0-9+/_-]{32,}={0,2}/g;
const readable = /^[\t\n\r -~]+$/;

/** Readable text of base64 runs, which some attacks hide in. */
function decodedRuns(text: string): string {
  let decoded = "";
  let count = 0;
  for (const [run] of text.matchAll(encoded)) {
    if ((count += 1) > 32) break;
    if (!/[a-z]/.test(run) || !/[A-Z]/.test(run)) continue;
    try {
      const plain = atob(
        run
          .replaceAll("-", "+")
          .replaceAll("_", "/")
          .replace(/=+$/, "")
          .slice(0, 8000 - (8000 % 4)),
      );
      if (readable.test(plain)) decoded += `\n${plain}`;
    } catch {
      // The text is not base64.
    }
  }
  return decoded;
}

/**
 * Searches for text that addresses the model. A finding raises the risk of a result; none lowers it.
 *
 * @param text - Any text.
 * @param encodedRuns - True if the text has runs that may be base64; they are decoded and searched too.
 * @returns Names of the findings, in a fixed order.
 */
export function detectInjection(text: string, encodedRuns: boolean): readonly InjectionFinding[] {
  const found = new Set<InjectionFinding>();
  findSignals(text, found);
  if (encodedRuns) findSignals(decodedRuns(text), found);
  // In the order of the signals, and each finding once: its first signal takes it out.
  return found.size === 0 ? [] : signals.map(({ finding }) => finding).filter((name) => found.delete(name));
}
