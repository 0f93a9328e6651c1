// An agent without a memory loads nothing of it.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { buildForBrowser } from "./lib/browser-bundle.mjs";
import { root } from "./lib/project.mjs";

/**
 * The modules that a process loads for one run of an agent.
 *
 * @param {string} options - More options of the agent, as source text.
 * @param {string} imports - The imports that they need.
 */
function loadedBy(options, imports = "") {
  const program = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { Agent } = await import("${root}/packages/agent/src/index.ts");
    const { handModel } = await import("${root}/scripts/lib/hand-model.mjs");
    ${imports}
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    const agent = new Agent({ name: "a", model: handModel("none"), logger, maxTurns: 1, ${options} });
    await agent.run("go").catch(() => undefined);
    console.log(JSON.stringify(loaded));`;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ["--conditions=@bailiwick/source", "--disable-warning=ExperimentalWarning", "--input-type=module", "-e", program],
    { encoding: "utf8", timeout: 240_000 },
  );
  expect(status, stderr).toBe(0);
  return /** @type {string[]} */ (JSON.parse(stdout));
}

const ofMemory = (/** @type {readonly string[]} */ urls) => urls.filter((url) => url.includes("/packages/memory/"));

test("a process whose agent has no memory loads no file of the package; one that has loads it [memory.off-loads-nothing] [feature:S197]", () => {
  expect(ofMemory(loadedBy(""))).toEqual([]);
  const imports = `const { memory, inMemoryMemories } = await import("${root}/packages/memory/src/index.ts");`;
  expect(ofMemory(loadedBy("memory: memory({ store: inMemoryMemories() })", imports))).not.toEqual([]);
});

test("a bundle of an agent without a memory contains no part of memory: no store, no ranking, no word lists [memory.off-loads-nothing]", async () => {
  const built = await buildForBrowser(`import { Agent } from "@bailiwick/agent"; export const agent = Agent;`);
  const inputs = Object.values(built.metafile.outputs).flatMap((output) => Object.keys(output.inputs));
  expect(inputs.filter((path) => path.includes("packages/memory/"))).toEqual([]);
  expect(inputs.filter((path) => path.includes("core/src/memories/"))).toEqual([]);
  expect(inputs.some((path) => path.includes("packages/agent/"))).toBe(true);
});
