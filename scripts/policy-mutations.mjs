/**
 * Edits the information-flow policy, one rule or branch at a time, and runs its tests against each edit: an edit that no
 * test notices is printed as a survivor. Nothing on disk is changed: the edit is made while the module is loaded.
 *
 * Usage: node scripts/policy-mutations.mjs [part of a file name] [--list]
 */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { mutantsOf } from "./lib/policy-mutants.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = `${root}packages/security/src/flow`;
/** Files that word decisions or put parts together; an edit there changes no decision. */
const worded = new Set(["explain.ts", "call-view.ts", "findings.ts", "flow-port.ts"]);
const [wanted = ""] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));

const mutants = readdirSync(folder)
  .filter((name) => name.endsWith(".ts") && !name.includes(".test.") && !worded.has(name) && name.includes(wanted))
  .flatMap((name) => mutantsOf(readFileSync(`${folder}/${name}`, "utf8")).map((mutant) => ({ name, ...mutant })));

if (process.argv.includes("--list")) {
  for (const { name, line, what } of mutants) console.log(`${name}:${line} ${what}`);
  console.log(`${mutants.length} edits`);
  process.exit(0);
}

if (await isKilled({ name: "none", index: 0 })) {
  console.error(
    "The policy's tests fail without an edit. Mend them first: pnpm exec vitest run --project security src/flow",
  );
  process.exit(1);
}
const survivors = [];
for (const [index, mutant] of mutants.entries()) {
  const killed = await isKilled(mutant);
  if (!killed) survivors.push(mutant);
  process.stderr.write(
    `${index + 1}/${mutants.length} ${killed ? "killed  " : "SURVIVED"} ${mutant.name}:${mutant.line} ${mutant.what}\n`,
  );
}
for (const { name, line, what } of survivors)
  console.log(`survived: packages/security/src/flow/${name}:${line} ${what}`);
console.log(`${mutants.length} edits, ${survivors.length} survivors`);
process.exitCode = survivors.length === 0 ? 0 : 1;

/**
 * Whether a test fails under an edit. A run that hangs counts as noticed.
 *
 * @param {{ name: string, index: number }} mutant
 * @returns {Promise<boolean>}
 */
function isKilled({ name, index }) {
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [`${root}node_modules/vitest/vitest.mjs`, "run", "--config", `${root}scripts/lib/policy-mutations.config.mjs`],
      {
        cwd: root,
        env: { ...process.env, BAILIWICK_MUTANT_FILE: `${folder}/${name}`, BAILIWICK_MUTANT: String(index) },
        stdio: "ignore",
      },
    );
    const timer = setTimeout(() => child.kill("SIGKILL"), 120_000);
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve(code !== 0);
    });
  });
}
