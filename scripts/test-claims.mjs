#!/usr/bin/env node
/**
 * Breaks features, one at a time, and runs the tests that claim them: a claim is proved if its tests fail then. The breaks
 * are in `packages/<name>/claims.json`; nothing on disk is changed. `--help` prints how it is called.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { absentCapabilities } from "./lib/capabilities.mjs";
import { readTables } from "./lib/claims/break-tables.mjs";
import { needsCopy } from "./lib/claims/copied-repository.mjs";
import { addBreaks, printFoundBreaks } from "./lib/claims/add-breaks.mjs";
import { openClaims, readOpen } from "./lib/claims/open-claims.mjs";
import { tryBreaks } from "./lib/claims/try-breaks.mjs";

/** Milliseconds that `--ci` may take, and breaks of its sample. */
const ciBudget = 20_000;
const sampleSize = 40;

const root = resolve(fileURLToPath(new URL("..", import.meta.url)));
const usage = `Breaks features, one at a time, and runs the tests that claim them.

  node scripts/test-claims.mjs                           all breaks, which takes half an hour
  node scripts/test-claims.mjs [parts of claims, files]  the breaks whose claim, file or test has one of these in it
  node scripts/test-claims.mjs --ci                      those that the last commit touches, and a sample, for ${ciBudget / 1000} seconds
  node scripts/test-claims.mjs --find [packages, parts]  prints edits that the tests of claims without a break notice
  node scripts/test-claims.mjs --add <breaks.json>       tries breaks, and adds those that are noticed to the tables
  node scripts/test-claims.mjs --help                    prints this text

  --fresh  runs breaks again whose files did not change since they were noticed
`;
const knownFlags = ["--ci", "--find", "--add", "--help", "--fresh"];
const flags = process.argv.slice(2).filter((argument) => argument.startsWith("-"));
const unknown = flags.find((flag) => flag !== "-h" && !knownFlags.includes(flag));
if (unknown !== undefined) console.error(`test-claims does not know "${unknown}".\n`);
if (unknown !== undefined || flags.includes("--help") || flags.includes("-h")) {
  (unknown === undefined ? console.log : console.error)(usage);
  process.exit(unknown === undefined ? 0 : 1);
}
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("-"));
const isCi = flags.includes("--ci");
const all = [...readTables(root).values()].flat();
const absent = absentCapabilities();
/** Breaks whose tests run on this machine. */
const runnable = all.filter(({ test }) => !absent.some(({ name }) => test.includes(`.${name}.test.`)));

/** Output of git; empty outside of a repository. @param {...string} parameters */
function git(...parameters) {
  try {
    return execFileSync("git", parameters, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return "";
  }
}

function selected() {
  if (!isCi)
    return runnable.filter(
      ({ claim, file, test }) =>
        wanted.length === 0 || wanted.some((part) => [claim, file, test].some((text) => text.includes(part))),
    );
  const changed = new Set(git("diff", "--name-only", "HEAD~1").split("\n"));
  const commit = git("rev-parse", "HEAD");
  const placeOf = (/** @type {object} */ one) =>
    createHash("sha256")
      .update(commit + JSON.stringify(one))
      .digest("hex");
  // One break that needs a copy of the repository takes longer than all others: the nightly workflow tries those.
  const quick = runnable.filter((one) => !needsCopy(one));
  const touched = quick.filter(({ file, test }) => changed.has(file) || changed.has(test));
  const others = quick.filter((one) => !touched.includes(one)).toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  return [...touched, ...others.slice(0, sampleSize)];
}

if (flags.includes("--find")) await printFoundBreaks(root, wanted);
else if (flags.includes("--add")) for (const file of wanted) await addBreaks(root, file);
else {
  const open = openClaims(root, all);
  const listed = readOpen(root);
  const problems = listed
    .filter((claim) => !open.includes(claim))
    .map((claim) => `${claim} has a break, or is gone: take it off scripts/claims-open.json, which may only shrink.`);
  /** @type {string[]} */
  const notes = [];
  const added = open.filter((claim) => !listed.includes(claim));
  const tried = await tryBreaks(root, selected(), {
    fresh: flags.includes("--fresh"),
    ...(isCi && { deadline: Date.now() + ciBudget }),
    onTried: ({ break: { claim, test, file }, verdict, detail }) => {
      if (wanted.length > 0) console.log(`${claim}: ${verdict} (${test})`);
      if (verdict === "noticed") return;
      // scripts/claims.test.mjs fails for an edit that no longer applies: one report is enough.
      const to = isCi && verdict === "does not apply" ? notes : problems;
      to.push(`${claim}: ${verdict} (${test}; edit of ${file})${detail === undefined ? "" : `: ${detail}`}`);
    },
  });
  for (const note of notes) console.warn(note);
  for (const problem of problems) console.error(problem);
  if (added.length > 0) console.warn(`Claims without a break that are not listed: ${added.join(", ")}`);
  console.log(
    `${tried.filter(({ verdict }) => verdict === "noticed").length} of ${tried.length} breaks noticed; ${all.length} breaks, ${open.length} claims without one`,
  );
  process.exitCode = problems.length > 0 || (!isCi && wanted.length === 0 && added.length > 0) ? 1 : 0;
}
