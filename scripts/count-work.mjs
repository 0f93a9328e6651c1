// Compares the work of a turn and of a call with what it was: functions entered and bytes allocated. Both are the same
// on each machine. `node scripts/count-work.mjs [file of expected counts]`; `--write` makes today's counts the expected.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { root } from "./lib/project.mjs";

/** Part by which a count may grow. */
const allowance = 0.03;

const writes = process.argv.includes("--write");
const file = process.argv.slice(2).find((argument) => !argument.startsWith("--")) ?? `${root}/scripts/work-counts.json`;

const printed = execFileSync(
  process.execPath,
  [
    // Optimized code allocates less, depending on when it was compiled.
    "--no-opt",
    "--no-maglev",
    "--single-threaded",
    // A young generation so large that nothing is collected between two readings.
    "--min-semi-space-size=256",
    "--max-semi-space-size=256",
    "--conditions=@bailiwick/source",
    "--disable-warning=ExperimentalWarning",
    `${root}/bench/pipeline/work.mjs`,
  ],
  { encoding: "utf8" },
);
/** @type {Record<string, Record<string, number>>} */
const counts = JSON.parse(printed);
if (writes) writeFileSync(file, `${JSON.stringify(counts, undefined, 2)}\n`);
/** @type {typeof counts} */
const expected = JSON.parse(readFileSync(file, "utf8"));

for (const [unit, measures] of Object.entries(counts)) {
  for (const [measure, count] of Object.entries(measures)) {
    const before = expected[unit]?.[measure] ?? 0;
    const change = `${(((count - before) / before) * 100).toFixed(1)} %`;
    console.log(`${measure} of ${unit}: ${count} each, expected ${before} (${change})`);
    if (count <= before * (1 + allowance)) continue;
    console.error(
      `${measure} of ${unit}: ${count} each in place of ${before}, ${change} more; ${allowance * 100} % are allowed. Find what is done per turn or call that need not be, see bench/README.md. If the work is needed, run "node scripts/count-work.mjs --write" and give the reason in the commit.`,
    );
    process.exitCode = 1;
  }
}
