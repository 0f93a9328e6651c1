import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { asPattern, candidatesOf } from "./candidate-breaks.mjs";
import { startClaimProcess } from "./claim-process.mjs";
import { patternOf } from "./break-tables.mjs";

/** @typedef {import("./break-tables.mjs").Break} Break */
/** @typedef {{ name: string, failure?: string, ms: number, covered: Record<string, { ran: [number, number][], dead: [number, number][] }> }} Covered */

/** Edits that are tried for a claim before it stays open. */
const mostTries = 24;
/** Failures of code that lacks something. */
const crash =
  /^(?:TypeError|ReferenceError|RangeError)|is not a function|Cannot (?:read|set|destructure) propert|is not iterable/u;
/** A claim whose tests take longer than this, in milliseconds, is left to a hand-written break. */
const longestTests = 6_000;

/**
 * Looks for edits that the tests of claims notice.
 *
 * @param {string} root
 * @param {readonly { file: string, claims: readonly string[] }[]} files - Test files of one package, and their claims without a break.
 * @param {(found: { claim: string, test: string, break?: Break, why?: string }) => void} onResult
 * @param {{ deadline?: number, known?: readonly Break[] }} [options] `deadline`: when to stop, in milliseconds since the epoch;
 * `known`: breaks of other claims. An edit proves one claim only.
 */
export async function findBreaks(root, files, onResult, { deadline = Infinity, known: breaks = [] } = {}) {
  const used = new Set(breaks.map(editOf));
  let process = await startClaimProcess();
  /** @type {Map<string, { source: string, candidates: ReturnType<typeof candidatesOf> }>} */
  const sources = new Map();
  const sourceOf = (/** @type {string} */ path) => {
    let known = sources.get(path);
    if (known === undefined) {
      const source = readFileSync(path, "utf8");
      sources.set(path, (known = { source, candidates: candidatesOf(source) }));
    }
    return known;
  };
  try {
    for (const { file, claims } of files) {
      if (Date.now() > deadline) return;
      const test = `${root}/${file}`;
      const answer = await process.ask({ file: test, coverage: true }, 90_000);
      if (answer?.results === undefined) {
        for (const claim of claims)
          onResult({ claim, test: file, why: String(answer?.error ?? "the file hangs").slice(0, 200) });
        process.stop();
        process = await startClaimProcess();
        continue;
      }
      const results = /** @type {Covered[]} */ (answer.results);
      for (const claim of claims) {
        if (Date.now() > deadline) return;
        const pattern = patternOf(claim);
        const named = results.filter(({ name }) => new RegExp(pattern, "u").test(name));
        if (named.length === 0 || named.some(({ failure }) => failure !== undefined)) {
          onResult({
            claim,
            test: file,
            why:
              named.length === 0
                ? "no test of that name"
                : `fails without a break: ${named.find((one) => one.failure)?.failure?.slice(0, 120)}`,
          });
          continue;
        }
        if (named.reduce((sum, { ms }) => sum + ms, 0) > longestTests) {
          onResult({ claim, test: file, why: "its tests take long" });
          continue;
        }
        /** @type {Break | undefined} */
        let found;
        let tries = 0;
        for (const { path, candidate } of ranked(claim, named, results, sourceOf)) {
          if (tries >= mostTries) break;
          const { source } = sourceOf(path);
          const table = asPattern(source, candidate);
          if (table === undefined) continue;
          const one = { claim, test: file, file: relative(root, path), ...table };
          if (used.has(editOf(one))) continue;
          const text = source.replace(table.find, () => table.replace);
          tries += 1;
          const tried = await process.ask({ in: test, edit: { path, text }, pattern, others: 6 }, 60_000);
          if (tried === undefined || tried.error !== undefined) {
            process.stop();
            process = await startClaimProcess();
            await process.ask({ file: test, coverage: true }, 90_000);
            if (tried !== undefined) continue;
            continue;
          }
          // Code that crashes says nothing about a feature: an expectation has to fail.
          const failed =
            tried.results?.some((/** @type {any} */ { failure }) => failure !== undefined && !crash.test(failure)) ===
            true;
          const besides = tried.besides ?? [];
          const others = besides.filter((/** @type {any} */ one) => one.failure !== undefined).length;
          // An edit after which nothing works says nothing about this feature.
          if (!failed || (besides.length > 1 && others > besides.length / 3)) continue;
          found = one;
          used.add(editOf(one));
          break;
        }
        onResult({
          claim,
          test: file,
          ...(found === undefined ? { why: `${tries} edits unnoticed` } : { break: found }),
        });
      }
    }
  } finally {
    process.stop();
  }
}

/** Names an edit. @param {Break} one */
const editOf = ({ file, find, replace }) => JSON.stringify([file, find, replace]);

/** True if a test ran the code at a place. @type {(covered: { ran: [number, number][], dead: [number, number][] } | undefined, at: number) => boolean} */
const isRun = (covered, at) => covered !== undefined && isIn(at, covered.ran) && !isIn(at, covered.dead);

/** @type {(at: number, list: readonly [number, number][]) => boolean} */
const isIn = (at, list) => list.some(([from, to]) => from <= at && to > at);

/** Edits in the functions that the named tests run, those first whose code few other tests run. */
function ranked(
  /** @type {string} */ claim,
  /** @type {Covered[]} */ named,
  /** @type {Covered[]} */ all,
  /** @type {(path: string) => { source: string, candidates: ReturnType<typeof candidatesOf> }} */ sourceOf,
) {
  const name = claim
    .slice(claim.lastIndexOf(".") + 1)
    .replaceAll("-", "")
    .toLowerCase();
  const words = new Set(
    claim
      .split(/[.:-]/u)
      .filter((word) => word.length > 2)
      .map((word) => word.toLowerCase()),
  );
  /** @type {{ path: string, candidate: ReturnType<typeof candidatesOf>[number], score: number }[]} */
  const list = [];
  for (const path of new Set(named.flatMap(({ covered }) => Object.keys(covered)))) {
    // Checks of options and texts of errors are beside every feature.
    if (/\/(?:errors|options|value-checks|check-settings|validate-fields)(?:\/|\.ts$)/u.test(path)) continue;
    const parts = named.flatMap(({ covered }) => covered[path] ?? []);
    const ranges = parts.flatMap(({ ran }) => ran);
    const { source, candidates } = sourceOf(path);
    const inName = [...words].filter((word) => path.toLowerCase().includes(word)).length;
    for (const candidate of candidates) {
      const around = ranges
        .filter(([from, to]) => from <= candidate.start && to >= candidate.end)
        .toSorted((a, b) => a[1] - a[0] - (b[1] - b[0]))[0];
      if (around === undefined || !parts.some((part) => isRun(part, candidate.probe))) continue;
      const shared = all.filter(({ covered }) => isRun(covered[path], candidate.probe)).length / all.length;
      const line = source
        .slice(source.lastIndexOf("\n", candidate.start - 1), source.indexOf("\n", candidate.end))
        .toLowerCase();
      const inLine = [...words].filter((word) => line.includes(word)).length;
      // A function that returns nothing breaks all that uses it: only that of the claim's own name.
      if (candidate.rank === 4 && !(name.length > 3 && line.includes(name))) continue;
      const isNamed = name.length > 3 && line.includes(name) ? 4 : 0;
      list.push({ path, candidate, score: isNamed + 2 * inLine + inName - 4 * shared - candidate.rank / 4 });
    }
  }
  const sorted = list.toSorted((a, b) => b.score - a.score);
  /** @type {Map<string, number>} */
  const perFile = new Map();
  // Not all tries in one file: the words of a claim may be in a file beside the feature.
  return sorted.filter(({ path }) => {
    const count = (perFile.get(path) ?? 0) + 1;
    perFile.set(path, count);
    return count <= 8;
  });
}
