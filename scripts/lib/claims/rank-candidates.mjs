/** @typedef {import("./candidate-breaks.mjs").Candidate} Candidate */
/** @typedef {{ name: string, failure?: string, ms: number, hits: Record<string, number[]> }} Covered `hits`: numbers of the candidates that ran, by file. */

/** Maximum number of edits of one file that are tried: the words of a claim may be in an unrelated file. */
const mostPerFile = 16;
/** Words of sentences without information about a feature. */
const common = new Set(
  "and are its the that than then they this when with without which while from have into only each other more also does not one after before same first last every their there where tool run agent model call calls runs tools true false undefined string result error".split(
    " ",
  ),
);

/** The words of a text in lower case, without those of every sentence. @type {(text: string, least: number) => string[]} */
const wordsOf = (text, least) => [
  ...new Set(
    text
      .split(/[^a-zA-Z0-9]+/u)
      .filter((word) => word.length >= least)
      .map((word) => word.toLowerCase())
      .filter((word) => !common.has(word)),
  ),
];

/**
 * The edits in functions that a claim's tests run: first those in lines that share words with the claim's sentence, in code
 * that few other tests run, or below a comment that names the claim.
 *
 * @param {{ claim: string, sentence: string }} asked
 * @param {readonly Covered[]} named - The claim's tests.
 * @param {readonly Covered[]} all - All tests of the file.
 * @param {(path: string) => { source: string, candidates: readonly Candidate[] }} sourceOf
 */
export function rankedCandidates({ claim, sentence }, named, all, sourceOf) {
  const name = claim
    .slice(claim.lastIndexOf(".") + 1)
    .replaceAll("-", "")
    .toLowerCase();
  const ofId = claim.includes(":") ? [] : wordsOf(claim, 3);
  const ofCode = wordsOf([...sentence.matchAll(/`([^`]+)`/gu)].map((match) => match[1]).join(" "), 3);
  const ofText = wordsOf(sentence, 5).filter((word) => !ofCode.includes(word));
  /** @type {{ path: string, index: number, candidate: Candidate, score: number }[]} */
  const list = [];
  for (const path of new Set(named.flatMap(({ hits }) => Object.keys(hits)))) {
    const ran = new Set(named.flatMap(({ hits }) => hits[path] ?? []));
    const { source, candidates } = sourceOf(path);
    const inPath = ofId.filter((word) => path.toLowerCase().includes(word)).length;
    // Checks of options and texts of errors are seldom a part of the feature.
    const isBeside = /\/(?:errors|options|value-checks|check-settings|validate-fields)(?:\/|\.ts$)/u.test(path);
    const mention = source.indexOf(`[${claim}]`);
    for (const index of ran) {
      const candidate = candidates[index];
      if (candidate === undefined) continue;
      const { start, end, rank } = candidate;
      const line = source.slice(source.lastIndexOf("\n", start - 1), source.indexOf("\n", end)).toLowerCase();
      const isNamed = name.length > 3 && line.includes(name);
      // A function that returns nothing breaks all its users: only one with the claim's own name counts.
      if (rank === 4 && !isNamed) continue;
      const count = (/** @type {readonly string[]} */ words) => words.filter((word) => line.includes(word)).length;
      const shared = all.filter(({ hits }) => hits[path]?.includes(index) === true).length / all.length;
      const isBelow = mention >= 0 && start > mention && start < mention + 1500;
      const words = (isNamed ? 3 : 0) + 1.5 * count(ofId) + 1.5 * count(ofCode) + 0.7 * count(ofText);
      const score = words + inPath + (isBelow ? 4 : 0) - 5 * shared - rank / 4 - (isBeside ? 2 : 0);
      list.push({ path, index, candidate, score });
    }
  }
  /** @type {Map<string, number>} */
  const perFile = new Map();
  return list
    .toSorted((a, b) => b.score - a.score)
    .filter(({ path }) => {
      const count = (perFile.get(path) ?? 0) + 1;
      perFile.set(path, count);
      return count <= mostPerFile;
    });
}
