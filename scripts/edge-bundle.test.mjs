// Runs the agent's bundle for browsers and edge workers in a context without Node's APIs.
import assert from "node:assert/strict";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { root } from "./lib/project.mjs";

/** Hosts other than Node, by the conditions that bundlers use for them. */
const targets = {
  browser: ["browser"],
  workerd: ["workerd", "worker", "browser"],
  "edge-light": ["edge-light", "worker", "browser"],
  none: [],
};

/** A run with a tool call, whose model is made by hand. */
const program = `import { Agent, tool } from "@bailiwick/agent";
import { handModel, numberSchema } from "${root}/scripts/lib/hand-model.mjs";
const double = tool({ name: "double", description: "Doubles.", inputSchema: numberSchema, sideEffectClass: "pure", execute: ({ a }) => a * 2 });
const model = handModel("double");
export const result = (async () => {
  const agent = new Agent({ name: "edge", model, tools: [double], logger: { debug() {}, info() {}, warn() {}, error() {} } });
  const { text, status } = await agent.run("go");
  let last;
  for await (const event of agent.stream("go")) last = event.type;
  return { text, status, last };
})();
`;

/**
 * @param {string} contents
 * @param {readonly string[]} conditions
 */
async function bundle(contents, conditions) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: `${root}/apps/desk`, loader: "ts" },
    bundle: true,
    write: false,
    minify: true,
    metafile: true,
    format: "iife",
    globalName: "bundled",
    platform: conditions.length === 0 ? "neutral" : "browser",
    target: "es2023",
    mainFields: ["module", "main"],
    conditions: [...conditions, "@bailiwick/source", "import", "default"],
    external: ["@napi-rs/keyring"],
    logLevel: "silent",
  });
  const [file] = outputFiles;
  assert.ok(file);
  return {
    code: file.text,
    inputs: Object.keys(metafile.inputs),
    imports: Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path)),
  };
}

/** Globals of browsers and edge workers, without those of Node. */
function webGlobals() {
  const names = [
    "AbortController",
    "AbortSignal",
    "DOMException",
    "Event",
    "EventTarget",
    "Headers",
    "ReadableStream",
    "Request",
    "Response",
    "TextDecoder",
    "TextEncoder",
    "TransformStream",
    "URL",
    "URLSearchParams",
    "atob",
    "btoa",
    "clearInterval",
    "clearTimeout",
    "crypto",
    "fetch",
    "performance",
    "queueMicrotask",
    "setInterval",
    "setTimeout",
    "structuredClone",
  ];
  return Object.fromEntries(names.map((name) => [name, Reflect.get(globalThis, name)]));
}

for (const [target, conditions] of Object.entries(targets)) {
  test(`a bundle for ${target} needs nothing of Node, and an agent runs in it [seams.packages.edge-conditions] [feature:S196] [field-bug:PB-runtime-02] [field-bug:PB-runtime-03]`, async () => {
    const { code, imports: kept, inputs } = await bundle(program, conditions);
    expect(inputs.filter((path) => path.includes("undici"))).toEqual([]);
    expect(kept.filter((path) => path !== "@napi-rs/keyring")).toEqual([]);
    for (const process of [undefined, { env: {} }]) {
      const context = createContext({ ...webGlobals(), ...(process === undefined ? {} : { process }) });
      expect(runInContext("typeof Buffer + typeof require + typeof process", context)).toBe(
        `undefinedundefined${typeof process}`,
      );
      runInContext(code, context);
      expect(await runInContext("bundled.result", context)).toEqual({
        text: 'It is "42"',
        status: "completed",
        last: "run.end",
      });
    }
  });
}

test("an agent brings no provider, no store, no memory, no server and no tables of a tokenizer [field-bug:PB-runtime-07] [field-bug:PB-runtime-08]", async () => {
  const { inputs } = await bundle(program, targets.browser);
  const packages = new Set(inputs.flatMap((path) => /packages\/([\w-]+)\//.exec(path)?.[1] ?? []));
  expect([...packages].toSorted()).toEqual(["agent", "core", "security"]);
  expect(
    inputs
      // Facts about models are core's own tables.
      .filter((path) => !path.includes("core/src/models/tables/"))
      .filter((path) => /tiktoken|tokenizer|bpe|undici|openai|anthropic|genai|hono|sqlite|pg\//.test(path)),
  ).toEqual([]);
});

test("a provider adds its own modules, and of its vendor's SDK only the errors [field-bug:PB-runtime-10]", async () => {
  const bare = new Set((await bundle(program, targets.browser)).inputs);
  const { inputs } = await bundle(
    `${program}\nimport { openai } from "@bailiwick/providers-openai";\nexport const other = openai;`,
    targets.browser,
  );
  const added = inputs.filter((path) => !bare.has(path));
  expect(added.filter((path) => path.includes("packages/providers-openai/"))).not.toEqual([]);
  const foreign = added.filter((path) => path.includes("node_modules/"));
  expect(foreign.filter((path) => !/node_modules\/openai\/(?:core\/error|error|internal\/)/.test(path))).toEqual([]);
});
