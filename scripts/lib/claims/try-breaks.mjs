import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileOf, groupBy, patternOf, readBroken } from "./break-tables.mjs";
import { asPattern, candidatesOf } from "./candidate-breaks.mjs";
import { startClaimProcess } from "./claim-process.mjs";
import { copyRepository, needsCopy } from "./copied-repository.mjs";
import { replaceJson } from "./replace-file.mjs";

/** @typedef {import("./break-tables.mjs").Break} Break */
/** @typedef {"noticed" | "unnoticed" | "crashed" | "failing" | "does not apply" | "hangs"} Verdict */
/** @typedef {{ break: Break, verdict: Verdict, detail?: string | undefined, cached?: boolean, isStale?: boolean }} Tried */

/** Failures of code that misses something: they do not concern a feature. */
const crash =
  /^(?:TypeError|ReferenceError|RangeError)|is not a function|Cannot (?:read|set|destructure) propert|is not iterable/u;

/** True if a failed test shows more than a crash. @param {string | undefined} failure */
export const saysMore = (failure) => failure !== undefined && !crash.test(failure);

/** Names the state of a break, its file and its tests: the same key has the same verdict. @param {string} root @param {Break} one */
export function keyOf(root, one) {
  const hash = createHash("sha256").update(JSON.stringify(one));
  for (const file of [fileOf(root, one), one.test])
    hash.update("\0").update(existsSync(join(root, file)) ? readFileSync(join(root, file)) : "");
  return hash.digest("hex").slice(0, 24);
}

/** The verdicts of earlier runs, by key. @param {string} root @returns {Record<string, Verdict>} */
export function readVerdicts(root) {
  const file = join(root, ".cache/claims.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}

/** @param {string} root @param {Record<string, Verdict>} verdicts */
function writeVerdicts(root, verdicts) {
  const file = join(root, ".cache/claims.json");
  mkdirSync(dirname(file), { recursive: true });
  replaceJson(file, verdicts, 1);
}

/**
 * Runs the named tests against breaks. Breaks of one package share a process; a break outside of functions gets a separate
 * process. Tests that one process cannot run against an edited module are run by vitest in a copy, after the others.
 *
 * @param {string} root
 * @param {readonly Break[]} breaks
 * @param {{ onTried?: (tried: Tried) => void, deadline?: number, fresh?: boolean }} [options] `deadline`: begins no break after it; `fresh`: verdicts of earlier runs do not count.
 * @returns {Promise<Tried[]>}
 */
export async function tryBreaks(root, breaks, { onTried = () => undefined, deadline = Infinity, fresh = false } = {}) {
  const verdicts = readVerdicts(root);
  /** @type {Tried[]} */
  const all = [];
  const note = (/** @type {Tried} */ tried) => {
    all.push(tried);
    // A busy machine may be the cause of these, so they are retried.
    if (tried.verdict !== "hangs" && tried.verdict !== "failing") verdicts[keyOf(root, tried.break)] = tried.verdict;
    onTried(tried);
  };
  const left = breaks.filter((one) => {
    const known = fresh ? undefined : verdicts[keyOf(root, one)];
    if (known === undefined) return true;
    const tried = { break: one, verdict: known, cached: true };
    all.push(tried);
    onTried(tried);
    return false;
  });
  const warm = left.filter((one) => !needsCopy(one));
  for (const [, ofPackage] of groupBy(warm, ({ test }) => test.split("/").slice(0, 2).join("/"))) {
    if (Date.now() > deadline) break;
    await tryInPackage(root, ofPackage, note, deadline);
  }
  const cold = left.filter(needsCopy);
  if (cold.length > 0 && Date.now() < deadline) await tryInCopy(root, cold, note, deadline);
  writeVerdicts(root, verdicts);
  return all;
}

/** @type {(root: string, breaks: readonly Break[], note: (tried: Tried) => void, deadline: number) => Promise<void>} */
async function tryInCopy(root, breaks, note, deadline) {
  const copy = copyRepository(root);
  try {
    for (const [test, ofTest] of groupBy(breaks, (one) => one.test)) {
      if (Date.now() > deadline) return;
      const pattern = [...new Set(ofTest.map(({ claim }) => patternOf(claim)))].join("|");
      const before = existsSync(join(root, test)) ? await copy.run(test, pattern) : { error: `${test} is gone` };
      for (const one of ofTest) {
        if (Date.now() > deadline) return;
        const failing = failingBefore(one, before);
        const applied = readBroken(root, one);
        if (failing !== undefined) note({ break: one, verdict: "failing", detail: failing });
        else if ("problem" in applied) note({ break: one, verdict: "does not apply", detail: applied.problem });
        else {
          const edit = { file: fileOf(root, one), text: applied.text };
          note({ break: one, ...verdictOf(await copy.run(test, patternOf(one.claim), edit)) });
        }
      }
    }
  } finally {
    copy.remove();
  }
}

/** @typedef {Awaited<ReturnType<typeof startClaimProcess>>} Process */

/** @type {(root: string, breaks: readonly Break[], note: (tried: Tried) => void, deadline: number) => Promise<void>} */
async function tryInPackage(root, breaks, note, deadline) {
  /** @type {Map<boolean, Process>} */
  const processes = new Map();
  try {
    for (const [test, ofTest] of groupBy(breaks, (one) => one.test))
      for (const [hasSwitch, ofKind] of groupBy(ofTest, (one) => switchOf(root, one) !== undefined)) {
        if (Date.now() > deadline) return;
        const file = join(root, test);
        const pattern = ofKind.map(({ claim }) => patternOf(claim)).join("|");
        const load = async () => {
          let process = processes.get(hasSwitch);
          if (process === undefined || process.isOver())
            processes.set(hasSwitch, (process = await startClaimProcess()));
          return process.ask({ file, pattern, switches: hasSwitch });
        };
        let answer = existsSync(file) ? await load() : { error: `${test} is gone` };
        for (const one of ofKind) {
          if (Date.now() > deadline) return;
          const process = processes.get(hasSwitch);
          const failing = process === undefined ? String(answer.error) : failingBefore(one, answer);
          if (failing !== undefined || process === undefined) {
            note({ break: one, verdict: "failing", detail: failing });
            continue;
          }
          const tried = await tryOne(root, one, process);
          note(tried);
          // A break may end the process of its tests, or leave something behind: the next break gets a new one.
          if (tried.verdict !== "hangs" && tried.isStale !== true && !process.isOver()) continue;
          process.stop();
          processes.delete(hasSwitch);
          answer = await load();
        }
      }
  } finally {
    for (const process of processes.values()) process.stop();
  }
}

/** The reason why a break cannot be tried: its tests do not pass without it. @type {(one: Break, answer: any) => string | undefined} */
function failingBefore({ claim, test }, answer) {
  if (answer?.results === undefined) return String(answer?.error ?? "the tests hang").slice(0, 500);
  const named = answer.results.filter((/** @type {{ name: string }} */ { name }) =>
    new RegExp(patternOf(claim), "u").test(name),
  );
  if (named.length === 0) return `no test of ${test} names ${claim}`;
  return named.find((/** @type {{ failure?: string }} */ { failure }) => failure !== undefined)?.failure;
}

/** Candidate edits of sources, as tables have them. @type {Map<string, Map<string, number>>} */
const edits = new Map();

/**
 * The switch of a break that is a candidate edit: code behind switches is loaded once for all of them.
 *
 * @type {(root: string, one: Break) => { path: string, index: number } | undefined}
 */
function switchOf(root, one) {
  const path = join(root, fileOf(root, one));
  if (!existsSync(path)) return undefined;
  let known = edits.get(path);
  if (known === undefined) {
    const source = readFileSync(path, "utf8");
    const patterns = candidatesOf(source).map((candidate) => asPattern(source, candidate));
    known = new Map(patterns.map((pattern, index) => [JSON.stringify([pattern?.find, pattern?.replace]), index]));
    edits.set(path, known);
  }
  const index = known.get(JSON.stringify([one.find, one.replace]));
  return index === undefined ? undefined : { path, index };
}

/** @type {(root: string, one: Break, process: Awaited<ReturnType<typeof startClaimProcess>>) => Promise<Tried>} */
async function tryOne(root, one, process) {
  const path = join(root, fileOf(root, one));
  const applied = readBroken(root, one);
  if ("problem" in applied) return { break: one, verdict: "does not apply", detail: applied.problem };
  const edit = { path, text: applied.text };
  const on = switchOf(root, one);
  const pattern = patternOf(one.claim);
  let answer = await process.ask(
    { in: join(root, one.test), pattern, ...(on === undefined ? { edit } : { on }) },
    60_000,
  );
  if (answer?.blocked !== undefined) {
    // The edit is outside of functions: it is made while the module is loaded.
    const own = await startClaimProcess();
    answer = await own.ask({ file: join(root, one.test), edit, pattern });
    own.stop();
    if (answer?.error !== undefined) return { break: one, verdict: "crashed", detail: answer.error.slice(0, 500) };
  }
  return { break: one, ...verdictOf(answer) };
}

/** The verdict of a run of the named tests against a break. @type {(answer: any) => Omit<Tried, "break">} */
function verdictOf(answer) {
  if (answer?.error !== undefined) return { verdict: "crashed", detail: answer.error.slice(0, 500) };
  if (answer?.results === undefined) return { verdict: "hangs" };
  const failures = answer.results.flatMap((/** @type {{ failure?: string }} */ { failure }) => failure ?? []);
  const isStale = answer.isStale === true;
  if (failures.some(saysMore)) return { verdict: "noticed", isStale };
  return failures.length > 0 ? { verdict: "crashed", detail: failures[0], isStale } : { verdict: "unnoticed" };
}
