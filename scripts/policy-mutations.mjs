/**
 * Edits the information-flow policy, one branch, condition, rule or statement at a time, and runs its tests against each
 * edit: an edit that no test notices is printed as a survivor. Nothing on disk is changed: an edit is made while the
 * module is loaded.
 *
 * Usage: node scripts/policy-mutations.mjs [parts of file names] [--list] [--workers=2] [--verbose] [--only-passing]
 */
import { policyEdits, tryEdits } from "./lib/try-policy-edits.mjs";

const flags = process.argv.slice(2).filter((argument) => argument.startsWith("--"));
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const workers = flags.find((flag) => flag.startsWith("--workers="))?.slice("--workers=".length);
const edits = policyEdits(wanted);

if (flags.includes("--list")) {
  for (const { name, line, what } of edits) console.log(`${name}:${line} ${what}`);
  console.log(`${edits.length} edits`);
} else {
  let done = 0;
  const started = performance.now();
  const verdicts = await tryEdits(edits, {
    ...(workers !== undefined && { workers: Number(workers) }),
    onlyPassing: flags.includes("--only-passing"),
    onVerdict: ({ edit: { name, line, what }, noticedBy, failure }) => {
      done += 1;
      const seen = noticedBy === undefined ? "SURVIVED" : `${noticedBy}: ${failure?.split("\n", 1)[0] ?? ""}`;
      if (flags.includes("--verbose"))
        process.stderr.write(`${done}/${edits.length} ${name}:${line} ${what}\n    ${seen}\n`);
      else if (done % 50 === 0) process.stderr.write(`${done}/${edits.length}\n`);
    },
  });
  const survivors = verdicts.filter(({ noticedBy }) => noticedBy === undefined);
  for (const { edit } of survivors)
    console.log(`survived: packages/security/src/${edit.name}:${edit.line} ${edit.what}`);
  console.log(
    `${edits.length} edits, ${survivors.length} survivors, ${((performance.now() - started) / 1000).toFixed(1)} s`,
  );
  process.exitCode = survivors.length === 0 ? 0 : 1;
}
