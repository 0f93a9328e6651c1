import { ambiguousVerbs, carriers, readingVerbs, writingVerbs } from "./guess-word-lists.ts";
import { plainForm, wordsOfName, wordsOfText } from "./guess-words.ts";

/** Number of a description's words that are searched for writing verbs. */
const wordsRead = 6;

/** Maximum number of words in a shared prefix. */
const longestPrefix = 3;

/** Number of tools of one source that have to share a prefix. */
const sharedBy = 3;

/** The guessed effect of a tool, and the word that decided. */
export interface GuessedEffect {
  readonly effect: "reader" | "writer";
  /** A clause that follows "because". */
  readonly why: string;
}

/**
 * A tool is a reader only if a reading verb begins or ends its name and no word indicates a writer
 * [flow.guess.effect].
 *
 * @param prefixes - Prefixes that tools of its source share, each as its words joined by blanks.
 * @param argumentNames - The names of its arguments.
 */
export function guessEffect(
  { name, description }: { readonly name: string; readonly description: string },
  prefixes: ReadonlySet<string>,
  argumentNames: readonly string[] = [],
): GuessedEffect {
  const words = wordsOfName(name);
  const joined = words.find((word) => word === "and" || word === "or");
  if (joined !== undefined) return writer(`its name has "${joined}"`);
  const check = checkOf(words, description, argumentNames);
  if (check !== undefined) return { effect: "reader", why: `"${check}" in its name only looks at something` };
  const inName = words.find(isUnambiguous);
  if (inName !== undefined) return writer(`"${inName}" in its name changes something`);
  const said = wordsOfText(description).slice(0, wordsRead);
  const [first = ""] = said;
  const inText = said.find(isUnambiguous) ?? (plainForm(first, writingVerbs) === undefined ? undefined : first);
  if (inText !== undefined) return writer(`"${inText}" in its description changes something`);
  const verb = readingVerbOf(words, prefixes);
  return verb === undefined
    ? writer("no reading verb begins or ends its name")
    : { effect: "reader", why: `"${verb}" in its name only reads` };
}

/** Words after "check" that make another verb of it. */
const otherVerbs: ReadonlySet<string> = new Set(["in", "out", "off"]);

/** Last words of names that begin with "run" and only measure something. */
const runs: ReadonlySet<string> = new Set(["test", "check", "diagnostic", "diagnosis", "healthcheck"]);

/**
 * [flow.guess.checks] The words by which a tool only looks at something: `check_…`, `can_…` and `run_…_test`. An argument
 * with a URL, host, path, command or code would make it do more, and so would a writing verb.
 */
function checkOf(words: readonly string[], description: string, argumentNames: readonly string[]): string | undefined {
  const [first = "", second = "", ...rest] = words;
  const last = words.at(-1) ?? "";
  if (
    second === "" ||
    argumentNames.some((name) => wordsOfName(name).some((word) => plainForm(word, carriers) !== undefined))
  )
    return undefined;
  const said = plainForm(wordsOfText(description)[0] ?? "", writingVerbs);
  if (said !== undefined && said !== "check" && said !== "run") return undefined;
  // A `can_…` tool asks if something is possible, and does not do it.
  if (first === "can") return first;
  const isOpen = words.slice(1).every((word) => !isUnambiguous(word));
  if (!isOpen) return undefined;
  if (first === "check" && words.every((word) => !otherVerbs.has(word))) return first;
  return first === "run" && rest.length > 0 && plainForm(last, runs) !== undefined ? `run … ${last}` : undefined;
}

function writer(why: string): GuessedEffect {
  return { effect: "writer", why };
}

function isUnambiguous(word: string): boolean {
  const verb = plainForm(word, writingVerbs);
  return verb !== undefined && !ambiguousVerbs.has(verb);
}

function readingVerbOf(words: readonly string[], prefixes: ReadonlySet<string>): string | undefined {
  const ends = [words[0], words.at(-1)];
  for (let length = 1; length <= longestPrefix && length < words.length; length += 1)
    if (prefixes.has(words.slice(0, length).join(" "))) ends.push(words[length]);
  return ends.find((word) => word !== undefined && plainForm(word, readingVerbs) !== undefined);
}

/** The prefixes that at least three of some names share, such as a vendor's. */
export function sharedPrefixes(names: readonly string[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const name of new Set(names)) {
    const words = wordsOfName(name);
    for (let length = 1; length <= longestPrefix && length < words.length; length += 1) {
      const prefix = words.slice(0, length).join(" ");
      counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
    }
  }
  return new Set([...counts].filter(([, count]) => count >= sharedBy).map(([prefix]) => prefix));
}
