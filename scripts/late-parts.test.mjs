// Behaviour if a lazily loaded part is missing: its file was not served, or belongs to another build.
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildForBrowser } from "./lib/browser-bundle.mjs";
import { root } from "./lib/project.mjs";

const program = `import { Agent, secrets, tool } from "@bailiwick/agent";
import { createSandbox } from "${root}/packages/security/src/sandbox/index.ts";
import { guardedFetch, sealer } from "${root}/packages/security/src/index.ts";
import { handModel, numberSchema } from "${root}/scripts/lib/hand-model.mjs";
const logger = { debug() {}, info() {}, warn() {}, error() {} };
/** Runs an agent with one tool; returns the outcome and the actions that ran. */
export async function run(kind, send) {
  const done = [];
  globalThis.fetch = async (...sent) => (done.push(["sent", ...sent]), new Response("ok"));
  const execute = {
    pure: ({ a }) => (done.push("executed"), a * 2),
    long: () => (done.push("executed"), "long".repeat(40_000)),
    async sending(_input, ctx) {
      done.push("executed");
      const key = await ctx.secrets.require("key");
      return (await ctx.fetch("https://api.test/", { headers: { authorization: key.header() } })).text();
    },
  }[kind];
  const agent = new Agent({
    name: "late",
    model: handModel("work", () => done.push("asked")),
    tools: [tool({ name: "work", description: "Works.", inputSchema: numberSchema, sideEffectClass: kind === "sending" ? "read-only" : "pure", secretsAllowed: ["key"], execute })],
    secrets: secrets({ key: { from: () => "hunter2-hunter2", hosts: ["api.test"] } }),
    logger,
  });
  try {
    return { done, text: (await agent.run("go")).text };
  } catch (error) {
    return { done, code: error.code, message: error.message };
  }
}
/** Stores a run for a worker; tells whether it is new. */
export async function enqueue() {
  return (await new Agent({ name: "late", model: handModel("work"), logger }).enqueue("go")).created;
}
/** Audits a run; returns the verdict, or the code of the error. */
export async function audit() {
  const agent = new Agent({ name: "late", model: handModel("work"), logger });
  const runId = await agent.run("go").then((output) => output.runId, () => "none");
  return agent.verifyAudit(runId).then(({ verdict }) => verdict, ({ code }) => code);
}
/** Seals a value, and opens it again. */
export async function seal(value) {
  const box = sealer("key");
  return box.open(await box.seal(value));
}
export const fetchPublic = guardedFetch();
/** Registers a module with a sandbox; tells the code of what it is refused with. */
export function register() {
  const entry = { module: new URL("file:///tool.js"), export: "run" };
  const tool = { trustClass: "first-party-user-defined", entry, config: { tier: "wasm" }, saidBy: "tool" };
  return createSandbox().resolve(tool).catch(({ code }) => code);
}
`;

/** @type {Awaited<ReturnType<typeof buildForBrowser>>} */
let built;
let folder = "";
const ownFetch = globalThis.fetch;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "late-parts-"));
  built = await buildForBrowser(program);
});

afterAll(async () => {
  globalThis.fetch = ownFetch;
  await rm(folder, { recursive: true });
});

/**
 * Serves the program without the file of one part.
 *
 * @param {string} part - The module that the part begins with.
 */
async function without(part) {
  const place = await mkdtemp(join(folder, "served-"));
  await writeFile(join(place, "package.json"), `{"type":"module"}`);
  for (const { path, text } of built.outputFiles) {
    const { entryPoint } = built.metafile.outputs[path.slice(root.length + 1)] ?? {};
    if (part === "" || entryPoint?.endsWith(part) !== true) await writeFile(join(place, basename(path)), text);
  }
  return import(pathToFileURL(join(place, "stdin.js")).href);
}

test("with all its files, a run loads what it needs [seams.packages.late-parts]", async () => {
  const { run } = await without("");
  expect(await run("pure")).toEqual({ done: ["asked", "executed", "asked"], text: 'It is "42"' });
  expect(await run("sending")).toMatchObject({ text: 'It is "ok"' });
});

test("making an agent loads none of its late parts [seams.packages.late-parts]", () => {
  const { outputs } = built.metafile;
  /** @type {(path: string) => readonly string[]} */
  const atStart = (path) => [
    path,
    ...(outputs[path]?.imports ?? [])
      .filter(({ kind }) => kind === "import-statement")
      .flatMap((one) => atStart(one.path)),
  ];
  const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === "<stdin>") ?? "";
  const modules = new Set(atStart(entry).flatMap((path) => Object.keys(outputs[path]?.inputs ?? {})));
  const ofSecurity = [...modules].flatMap((path) => /^packages\/security\/src\/(.+)\.ts$/.exec(path)?.[1] ?? []);
  expect(ofSecurity).toContain("flow/check-agent");
  const policy = ["flow/flow-run", "flow/record-labels", "flow/decide-call", "flow/lattice", "flow/argument-leaves"];
  const results = ["flow/planner", "flow/read-value", "sanitize/treat-inbound", "sanitize/injection-signals"];
  const doors = ["secrets/egress-fetch", "net/public-fetch", "approvals/aes-cipher", "sandbox/sandbox-port"];
  for (const module of [...policy, ...results, ...doors]) expect(ofSecurity).not.toContain(module);
  const ofCore = [...modules].flatMap((path) => /^packages\/core\/src\/(.+)\.ts$/.exec(path)?.[1] ?? []);
  expect(ofCore).toContain("runner/agent-runtime");
  const calls = [
    "tools/tool-index",
    "tools/bm25",
    "tools/result-page",
    "runner/tool-call/call-question",
    "runner/built-in/shorten-result",
  ];
  const storedRuns = ["journal/memory/part", "journal/memory/runs"];
  const runner = ["runner/run-operations", "runner/open-run", "runner/run-loop", "runner/model/model-call"];
  const operations = [
    ...runner,
    "runner/resume/audit-flaws",
    "runner/resume/fork-records",
    "runner/resume/rebuild-parts",
    "runner/preflight",
  ];
  for (const module of [...calls, ...storedRuns, ...operations]) expect(ofCore).not.toContain(module);
});

test("on Node, a run without a request loads no HTTP client [seams.packages.late-parts]", () => {
  const script = `import { createRequire } from "node:module";
    const { Agent } = await import("${root}/packages/agent/src/index.ts");
    const { handModel } = await import("${root}/scripts/lib/hand-model.mjs");
    const hasClient = () => Object.keys(createRequire(import.meta.url).cache).some((path) => path.includes("/undici/"));
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    const model = handModel("work");
    await new Agent({ name: "late", model, logger }).run("go").catch(() => undefined);
    const before = hasClient();
    const asking = { ...model, generate: (request) => request.fetch("http://127.0.0.1:1/") };
    await new Agent({ name: "late", model: asking, logger, retry: { maxRetries: 0 } }).run("go").catch(() => undefined);
    console.log(JSON.stringify({ before, after: hasClient() }));`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--conditions=@bailiwick/source", "--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script],
    { encoding: "utf8", cwd: root },
  );
  expect({ stdout, stderr }).toEqual({ stdout: `{"before":false,"after":true}\n`, stderr: "" });
});

test("without the runner, no run begins; an agent that only enqueues needs none [seams.packages.late-parts-fail-closed]", async () => {
  const { run, enqueue } = await without("runner/run-operations.ts");
  expect(await run("pure")).toMatchObject({ done: [], code: "PART_UNAVAILABLE" });
  expect(await enqueue()).toBe(true);
});

test("without the store in memory, no run begins [seams.packages.late-parts-fail-closed]", async () => {
  const { run } = await without("journal/memory/part.ts");
  expect(await run("pure")).toMatchObject({ done: [], code: "PART_UNAVAILABLE" });
});

test("without the policy, no run begins: the model is not asked [seams.packages.late-parts-fail-closed]", async () => {
  const { run } = await without("flow/flow-run.ts");
  expect(await run("pure")).toMatchObject({ done: [], code: "PART_UNAVAILABLE" });
});

test("without the treatment of results, the model is not shown one [seams.packages.late-parts-fail-closed]", async () => {
  const { run } = await without("sanitize/treat-inbound.ts");
  const { done, text } = await run("pure");
  expect(done).toEqual(["asked", "executed", "asked"]);
  expect(text).toContain("withheld");
  expect(text).not.toContain("42");
});

test("without the shortening of long results, the model is not shown one [seams.packages.late-parts-fail-closed]", async () => {
  const { text } = await (await without("")).run("long");
  expect(text.length).toBeLessThan(100_000);
  const { run } = await without("built-in/shorten-result.ts");
  expect(await run("long")).toMatchObject({ done: ["asked", "executed"], code: "PART_UNAVAILABLE" });
  expect(await run("pure")).toMatchObject({ text: 'It is "42"' });
});

test("without the part that inserts secrets into requests, nothing is sent [seams.packages.late-parts-fail-closed]", async () => {
  const { run } = await without("secrets/egress-fetch.ts");
  const { done, text } = await run("sending");
  expect(done).toEqual(["asked", "executed", "asked"]);
  expect(text).toContain("could not be loaded");
  expect(text).not.toContain("hunter2");
});

test("without the audit, no journal is reported as unchanged [seams.packages.late-parts-fail-closed]", async () => {
  expect(await (await without("")).audit()).toBe("unsigned");
  expect(await (await without("runner/run-operations.ts")).audit()).toBe("PART_UNAVAILABLE");
});

test("without the encryption part, nothing is sealed [seams.packages.late-parts-fail-closed]", async () => {
  expect(await (await without("")).seal({ iban: "DE02" })).toEqual({ iban: "DE02" });
  const { seal } = await without("approvals/aes-cipher.ts");
  await expect(seal({ iban: "DE02" })).rejects.toMatchObject({ code: "PART_UNAVAILABLE" });
});

test("without the request guard, nothing is fetched [seams.packages.late-parts-fail-closed]", async () => {
  const { code } = await (
    await without("")
  )
    .fetchPublic("http://127.0.0.1:1/")
    .catch((/** @type {any} */ error) => error);
  expect(code).toBe("EGRESS_DENIED");
  const { fetchPublic } = await without("net/public-fetch.ts");
  await expect(fetchPublic("http://127.0.0.1:1/")).rejects.toMatchObject({ code: "PART_UNAVAILABLE" });
});

test("without a part of the sandboxes, no module is registered [seams.packages.late-parts-fail-closed]", async () => {
  expect(await (await without("")).register()).toBe("SANDBOX_UNAVAILABLE");
  for (const part of ["src/sandbox/sandbox-port.ts", "src/sandbox/machine-drivers.ts"])
    expect(await (await without(part)).register(), part).toBe("PART_UNAVAILABLE");
});
