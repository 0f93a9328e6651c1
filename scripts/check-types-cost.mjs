// The cost of type-checking the sample app: prints time and instantiations, and fails if the instantiations exceed the
// recorded number by more than 20 %. Times differ between machines, so they are only printed. A single checker does the
// work, because with several the count depends on the order. `--write` records the current number, `--record <file>`
// keeps it elsewhere, and `--app <folder>` checks another program.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./lib/project.mjs";

const headRoom = 1.2;
const { values } = parseArgs({
  options: {
    write: { type: "boolean", default: false },
    record: { type: "string", default: join(root, "scripts", "types-cost.json") },
    app: { type: "string", default: "apps/desk" },
  },
});
const { app, record: recordFile } = values;

const { status, stdout, stderr } = spawnSync(
  "tsc",
  ["-p", app, "--noEmit", "--extendedDiagnostics", "--singleThreaded", "--pretty", "false"],
  {
    cwd: root,
    encoding: "utf8",
    shell: process.platform === "win32",
  },
);
if (status !== 0) {
  console.error(`${app} does not type-check\n${stdout ?? ""}${stderr ?? ""}`);
  process.exit(1);
}

/**
 * @param {string} label
 * @returns {string} the value that the compiler printed for it
 */
function printed(label) {
  const value = new RegExp(`^${label}:\\s*(\\S+)`, "m").exec(stdout)?.[1];
  if (value === undefined) throw new Error(`tsc printed no "${label}"; see its output:\n${stdout}`);
  return value;
}

const instantiations = Number(printed("Instantiations"));
if (values.write) writeFileSync(recordFile, `${JSON.stringify({ [app]: { instantiations } }, undefined, 2)}\n`);
const recorded = JSON.parse(readFileSync(recordFile, "utf8"))[app].instantiations;
const bound = Math.floor(recorded * headRoom);
console.log(
  `${app}: ${instantiations} of ${bound} instantiations, ${printed("Types")} types, ${printed("Check time")} checking, ${printed("Total time")} in all`,
);
if (instantiations > bound) {
  console.error(
    `Type-checking ${app} became dearer: ${recorded} instantiations were recorded. Find the type that does it (tsc --generateTrace), or record the new number with --write.`,
  );
  process.exitCode = 1;
}
