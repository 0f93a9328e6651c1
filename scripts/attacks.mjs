/**
 * Plays the attack suites: each attack in each place of the writers, with each setting and strategy. Prints one row for
 * each. `pnpm test:attacks 5` plays every fifth pair; without a number all of them, for about an hour on two cores, and
 * writes the tables of docs/guides/attacks.md from the results. `pnpm test:attacks 5 --seed 3` plays other pairs than
 * with another seed, so that some nights together play all of them. `pnpm test:attacks --table` writes the tables from
 * the results of the last whole run.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withAttackTables } from "./lib/attack-tables.mjs";
import { root } from "./lib/project.mjs";

const page = join(root, "docs/guides/attacks.md");
const [first = "1", flag, seed = "0"] = process.argv.slice(2);
const isTable = first === "--table";
if (!isTable && !/^[1-9]\d*$/.test(first)) {
  console.error(`"${first}" is not a number of pairs. Use \`pnpm test:attacks 5\` to play every fifth pair.`);
  process.exit(1);
}
if (flag !== undefined && (flag !== "--seed" || !/^\d+$/.test(seed))) {
  console.error(`"${[flag, seed].join(" ")}" is not a seed. Use \`pnpm test:attacks ${first} --seed 3\`.`);
  process.exit(1);
}
const results = join(root, ".cache", first === "1" || isTable ? "attacks.jsonl" : `attacks-${first}.jsonl`);
let status = 0;
if (!isTable) {
  mkdirSync(join(root, ".cache"), { recursive: true });
  rmSync(results, { force: true });
  const files = [
    "packages/security/src/flow/attacks/matrix.test.ts",
    "packages/security/src/flow/attacks/matrix-strategies.test.ts",
    // These suites are played whole with each number.
    ...["trades", "agentdojo", "injecagent", "office", "ref-smuggler"].map(
      (name) => `packages/security/src/flow/attacks/${name}.test.ts`,
    ),
    "packages/security/src/sandbox/attacks/code-mode.test.ts",
    "packages/mcp/src/server/served-attacks.test.ts",
  ];
  const played = spawnSync(
    "pnpm",
    [
      "exec",
      "vitest",
      "run",
      "--typecheck.enabled=false",
      ...["security", "mcp"].flatMap((name) => ["--project", name]),
      ...files,
    ],
    {
      stdio: "inherit",
      env: {
        ...process.env,
        BAILIWICK_ATTACKS_EVERY: first,
        BAILIWICK_ATTACKS_SEED: seed,
        BAILIWICK_ATTACKS_RESULTS: results,
      },
      timeout: 4 * 3_600_000,
    },
  );
  status = played.status ?? 1;
}
if (first === "1" || isTable) {
  if (!existsSync(results)) {
    console.error("There are no results of a whole run. Run `pnpm test:attacks` first.");
    process.exit(1);
  }
  const rows = readFileSync(results, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  writeFileSync(page, withAttackTables(readFileSync(page, "utf8"), rows));
  console.log(`Written: ${page}. Format it with \`pnpm exec oxfmt ${page}\`.`);
}
process.exit(status);
