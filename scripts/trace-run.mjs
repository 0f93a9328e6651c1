// Counts the files that a run with one tool call enters, and its moves between them; `--order` prints the moves.
// CLASS=external-stateful counts a tool of another side-effect class.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { figuresOf, traced } from "./lib/trace-modules.mjs";
import { root } from "./lib/project.mjs";

const { Agent, tool } = await import(`${root}/packages/agent/src/index.ts`);
const { scriptedModel } = await import(`${root}/packages/testing/src/index.ts`);
// The desk depends on what its agents need.
const { z } = await import(pathToFileURL(createRequire(`${root}/apps/desk/package.json`).resolve("zod")).href);

const add = tool({
  name: "add",
  description: "Adds two numbers.",
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  sideEffectClass: process.env["CLASS"] ?? "pure",
  execute: (/** @type {{ a: number, b: number }} */ { a, b }) => a + b,
});
const make = () =>
  new Agent({
    name: "calc",
    model: scriptedModel([{ toolCalls: [{ name: "add", arguments: { a: 1, b: 2 } }] }, { text: "3" }]),
    tools: [add],
  });
// Parts that load late do so here.
await make().run("1+2");

const made = await traced(make);
const ran = await traced(() => made.result.run("1+2"));
if (ran.result.text !== "3") throw new Error(`the run ended as ${ran.result.status}: ${ran.result.text}`);
for (const [name, { calls }] of Object.entries({ "new Agent": made, run: ran })) {
  const { calls: count, functions, files, lines, moves } = figuresOf(calls);
  console.log(`${name}: ${files} files with ${lines} lines, ${moves} moves, ${count} calls of ${functions} functions`);
}
if (process.argv.includes("--order"))
  for (const [index, place] of ran.calls.entries())
    if (place.split("#")[0] !== ran.calls[index - 1]?.split("#")[0]) console.log(place);
