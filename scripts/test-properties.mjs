// Property tests with other cases than `npm test` has, and many more of them: `pnpm test:properties [factor] [words of file names]`.
// The seed is random, and printed first: `BAILIWICK_PROPERTY_SEED=<seed>` repeats its cases.
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "./lib/files.mjs";
import { root } from "./lib/project.mjs";

const [first, ...words] = process.argv.slice(2);
const factor = first === undefined ? 20 : Number(first);
if (!(factor >= 1)) {
  console.error(`The factor is a number from 1, not "${first}": pnpm test:properties 50 journal`);
  process.exit(2);
}

const texts = new Map(
  filesBelow(["packages", "apps"], (path) => /\.tsx?$/.test(path)).map((path) => [
    path,
    readFileSync(join(root, path), "utf8"),
  ]),
);
const fixtures = [...texts]
  .filter(([path, text]) => !path.includes(".test.") && text.includes('from "fast-check"'))
  .map(([path]) => path.slice(path.lastIndexOf("/")));
const files = [...texts]
  .filter(([path]) => /\.test\.tsx?$/.test(path))
  .filter(([, text]) => text.includes('from "fast-check"') || fixtures.some((name) => text.includes(`${name}"`)))
  .map(([path]) => path)
  .filter((path) => words.length === 0 || words.some((word) => path.includes(word)));

const seed = process.env["BAILIWICK_PROPERTY_SEED"] ?? String(randomInt(1, 2 ** 31));
console.log(`${files.length} files, seed ${seed}, ${factor} times the cases`);
const { status } = spawnSync(
  process.execPath,
  [join(root, "node_modules/vitest/vitest.mjs"), "run", "--testTimeout=1200000", "--typecheck.enabled=false", ...files],
  {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      BAILIWICK_PROPERTY_SEED: seed,
      BAILIWICK_PROPERTY_FACTOR: String(factor),
    },
  },
);
process.exit(status ?? 1);
