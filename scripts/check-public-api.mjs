// Compares the public names of all packages with `scripts/public-api.json`, so that a new name shows up in review.
//
//     node scripts/check-public-api.mjs            fail when a name was added or removed
//     node scripts/check-public-api.mjs --update   write the names as they are now
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./lib/project.mjs";
import { publicNames } from "./lib/public-names.mjs";

/** The facade stays small enough to read as one list. */
const facade = { entry: "@bailiwick/agent", most: 140 };
const file = join(root, "scripts/public-api.json");
const now = publicNames();

if (process.argv.includes("--update")) writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`);
/** @type {Record<string, string[]>} */
const recorded = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
const problems = [...new Set([...Object.keys(recorded), ...Object.keys(now)])].flatMap((entry) => {
  const before = new Set(recorded[entry]);
  const after = new Set(now[entry]);
  const added = [...after].filter((name) => !before.has(name));
  const removed = [...before].filter((name) => !after.has(name));
  return [
    ...(added.length > 0 ? [`${entry} exports names that are not recorded: ${added.join(", ")}`] : []),
    ...(removed.length > 0 ? [`${entry} no longer exports: ${removed.join(", ")}`] : []),
  ];
});
if (problems.length > 0) problems.push("If this is intended, run: node scripts/check-public-api.mjs --update");
const size = now[facade.entry]?.length ?? 0;
if (size > facade.most)
  problems.push(
    `${facade.entry} exports ${size} names, more than ${facade.most}: export the new ones from another entry point`,
  );
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${size} names in ${facade.entry}, ${Object.values(now).flat().length} in all entry points`);
