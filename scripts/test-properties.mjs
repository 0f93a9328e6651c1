// Property tests with other cases than `npm test` has, and many more of them: `pnpm test:properties [factor] [words of file names]`.
import { spawnSync } from "node:child_process";
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

const { status } = spawnSync(
  process.execPath,
  [join(root, "node_modules/vitest/vitest.mjs"), "run", "--testTimeout=1200000", "--typecheck.enabled=false", ...files],
  {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      BAILIWICK_PROPERTY_SEED: process.env["BAILIWICK_PROPERTY_SEED"] ?? "random",
      BAILIWICK_PROPERTY_FACTOR: String(factor),
    },
  },
);
process.exit(status ?? 1);
