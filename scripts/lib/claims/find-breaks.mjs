import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { rankedCandidates } from "./rank-candidates.mjs";
import { asPattern, candidatesOf } from "./candidate-breaks.mjs";
import { startClaimProcess } from "./claim-process.mjs";
import { patternOf } from "./break-tables.mjs";
import { saysMore } from "./try-breaks.mjs";

/** @typedef {import("./break-tables.mjs").Break} Break */
/** @typedef {import("./rank-candidates.mjs").Covered} Covered */
/** @typedef {{ break: Break, besides: string }} Suggestion `besides`: how many other tests of the file fail too. */
/** @typedef {{ claim: string, test: string, titles: string[], suggestions: Suggestion[], why?: string }} Found */

/**
 * Maximum number of edits that are tried for a claim, their total time in milliseconds, and the number of noticed ones
 * after which the search ends.
 */
const limits = { tries: 50, ms: 9_000, suggestions: 5, ofOneText: 2 };
/** A claim whose tests take longer than this, in milliseconds, is left to a hand-written break. */
const longestTests = 15_000;
/** Other tests that run against an edit that a claim's tests notice. */
const others = 5;

/**
 * Looks for edits that the tests of claims notice. A person chooses among them, because an edit that the tests notice
 * may not concern the feature.
 *
 * @param {string} root
 * @param {readonly string[]} files - Test files of one package.
 * @param {{ claims: readonly string[], sentenceOf: (claim: string) => string }} asked - Claims without a break, and their sentences.
 * @param {(found: Found) => void} onResult
 */
export async function findBreaks(root, files, { claims, sentenceOf }, onResult) {
  let process = await startClaimProcess();
  const again = async (/** @type {string} */ file) => {
    process.stop();
    process = await startClaimProcess();
    await process.ask({ file: `${root}/${file}`, switches: true }, 90_000);
  };
  const sourceOf = sourceReader();
  /** Claims with enough edits. @type {Set<string>} */
  const done = new Set();
  try {
    for (const file of files) {
      const ifAny = claims
        .filter((claim) => !done.has(claim))
        .map(patternOf)
        .join("|");
      const answer = await process.ask({ file: `${root}/${file}`, switches: true, ifAny }, 120_000);
      if (answer?.results === undefined) {
        onResult({
          claim: "",
          test: file,
          titles: [],
          suggestions: [],
          why: String(answer?.error ?? "it hangs").slice(0, 200),
        });
        process.stop();
        process = await startClaimProcess();
        continue;
      }
      const results = /** @type {Covered[]} */ (answer.results);
      for (const claim of claims) {
        const named = results.filter(({ name }) => new RegExp(patternOf(claim), "u").test(name));
        if (named.length === 0 || done.has(claim)) continue;
        const titles = named.map(({ name }) => name);
        const why = reasonAgainst(named);
        if (why !== undefined) {
          onResult({ claim, test: file, titles, suggestions: [], why });
          continue;
        }
        const sentence = `${sentenceOf(claim)} ${titles.join(" ")}`;
        /** @type {Suggestion[]} */
        const suggestions = [];
        const until = Date.now() + limits.ms;
        let tries = 0;
        for (const { path, index, candidate } of rankedCandidates({ claim, sentence }, named, results, sourceOf)) {
          if (tries >= limits.tries || Date.now() > until || suggestions.length >= limits.suggestions) break;
          const { source } = sourceOf(path);
          const pattern = asPattern(source, candidate);
          if (pattern === undefined) continue;
          if (suggestions.filter(({ break: one }) => one.find === pattern.find).length >= limits.ofOneText) continue;
          tries += 1;
          const asked = { in: `${root}/${file}`, on: { path, index }, pattern: patternOf(claim), others };
          const tried = await process.ask(asked, 30_000);
          if (tried === undefined || tried.error !== undefined || process.isOver()) {
            await again(file);
            continue;
          }
          if (tried.isStale === true) await again(file);
          if (tried.results?.some((/** @type {any} */ { failure }) => saysMore(failure) && !isLate(failure)) !== true)
            continue;
          const besides = tried.besides ?? [];
          const failed = besides.filter((/** @type {any} */ one) => one.failure !== undefined).length;
          // An edit that breaks everything is not evidence for this feature.
          if (besides.length > 1 && failed > besides.length / 2) continue;
          const one = { claim, test: file, file: relative(root, path), ...pattern };
          suggestions.push({ break: one, besides: `${failed}/${besides.length}` });
        }
        if (suggestions.length > 2) done.add(claim);
        onResult({
          claim,
          test: file,
          titles,
          suggestions,
          ...(suggestions.length === 0 && { why: `${tries} edits unnoticed` }),
        });
      }
    }
  } finally {
    process.stop();
  }
}

/** True for a test that the edit keeps from ending. @param {string} failure */
const isLate = (failure) => failure.includes("it took longer than");

/** The reason why no edit is searched for. @param {readonly Covered[]} named */
function reasonAgainst(named) {
  const failing = named.find(({ failure }) => failure !== undefined);
  if (failing !== undefined) return `fails without a break: ${failing.failure?.slice(0, 160)}`;
  return named.reduce((sum, { ms }) => sum + ms, 0) > longestTests ? "its tests take long" : undefined;
}

/** Reads sources once, with their candidate edits. */
function sourceReader() {
  /** @type {Map<string, { source: string, candidates: ReturnType<typeof candidatesOf> }>} */
  const sources = new Map();
  return (/** @type {string} */ path) => {
    let known = sources.get(path);
    if (known === undefined) {
      const source = readFileSync(path, "utf8");
      sources.set(path, (known = { source, candidates: candidatesOf(source) }));
    }
    return known;
  };
}
