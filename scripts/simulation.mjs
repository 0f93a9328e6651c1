#!/usr/bin/env node
/**
 * Plays histories of every shape of agents and of chats, and writes the page "How this is tested" from their counts.
 *
 *     pnpm test:simulation --seeds 1000 [--from 1] [--single] [--page]
 *
 * `--single` also plays each single fault of each shape. `--page` writes `docs/guides/how-tested.md`. It fails if a promise
 * is broken, and prints the shortest history.
 *
 * @module
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { howTestedPage } from "./lib/how-tested-page.mjs";

const root = new URL("../", import.meta.url);
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1000" },
    from: { type: "string", default: "1" },
    single: { type: "boolean", default: false },
    page: { type: "boolean", default: false },
  },
});
const seeds = Number(values.seeds);
const from = Number(values.from);
if (!Number.isInteger(seeds) || !Number.isInteger(from))
  throw new Error("--seeds and --from have to be whole numbers.");

await import(new URL("packages/testing/src/simulation/register.ts", root).href);
const { simulate } = await import(new URL("packages/testing/src/simulation.ts", root).href);
const { shape, shapeNames } = await import(new URL("packages/agent/test/simulation/shapes.test.helper.ts", root).href);
const { clerkChat, pageKinds } = await import(new URL("packages/react/src/simulation/chat.test.helper.ts", root).href);

/** @type {readonly { name: string, simulation: () => object, single: boolean }[]} */
const played = [
  ...shapeNames.map((/** @type {string} */ name) => ({ name, simulation: () => shape(name), single: values.single })),
  ...Object.keys(pageKinds).flatMap((kind) =>
    // A page that sends all of its messages cannot say that it does not know the chat.
    (kind === "useChat" ? [1] : [1, 2]).map((tabs) => ({
      name: `a chat with ${kind}, ${tabs === 1 ? "one tab" : "two tabs"}`,
      simulation: () => clerkChat(pageKinds[kind], { tabs }),
      single: false,
    })),
  ),
];

/** @type {import("./lib/how-tested-page.mjs").PlayedShape[]} */
const rows = [];
let isBroken = false;
for (const { name, simulation, single } of played) {
  const { broken, histories, singles, points, faults, text } = await simulate(simulation(), { seeds, from, single });
  rows.push({ name, histories, singles, points, faults });
  isBroken ||= broken.length > 0;
  console.log(`${name}: ${text}`);
}
if (values.page) {
  const commit = execFileSync("git", ["rev-parse", "--short=12", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
  const page = howTestedPage({ rows, seeds, from, commit, isSingle: values.single });
  writeFileSync(fileURLToPath(new URL("docs/guides/how-tested.md", root)), page);
}
process.exit(isBroken ? 1 : 0);
