/**
 * Plays the attack suites: each attack in each place of the writers, with each setting and strategy. Prints one row for
 * each. `pnpm test:attacks 5` plays every fifth pair; without a number all of them, for about an hour on two cores.
 */
import { spawnSync } from "node:child_process";

const [every = "1"] = process.argv.slice(2);
if (!/^[1-9]\d*$/.test(every)) {
  console.error(`"${every}" is no number of pairs. Use \`pnpm test:attacks 5\` to play every fifth pair.`);
  process.exit(1);
}
const { status } = spawnSync(
  "pnpm",
  ["exec", "vitest", "run", "--project", "security", "packages/security/src/flow/attacks/matrix.test.ts"],
  { stdio: "inherit", env: { ...process.env, BAILIWICK_ATTACKS_EVERY: every }, timeout: 4 * 3_600_000 },
);
process.exit(status ?? 1);
