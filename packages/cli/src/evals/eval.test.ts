import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { CommandFolder } from "../command.fixture.ts";

const modules = fileURLToPath(new URL("../../node_modules", import.meta.url));

/** An agent that answers, refunds and asks, with an evaluation. */
const desk = `
import { Agent, tool } from "@bailiwick/agent";
import { scriptedModel } from "@bailiwick/testing";
import { sqliteStore } from "@bailiwick/store-sqlite";

export const createDesk = ({ store, needsApproval = false, fails = false }) => new Agent({
  name: "desk", store, flow: "off", logger: { debug() {}, info() {}, warn() {}, error() {} },
  model: scriptedModel(({ messages, lastUserText }) => messages.some(({ role }) => role === "tool")
    ? "Done." : { toolCalls: [{ name: "refund", arguments: { id: fails ? "8" : lastUserText.match(/[0-9]+/)[0] } }] }),
  tools: [tool({ name: "refund", description: "Refunds.", needsApproval, sideEffectClass: "external-stateful", idempotencyKey: "call",
    inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] }, execute: () => { throw new Error("real"); } })],
});
`;
const evaluation = `
import { effects, evaluation } from "@bailiwick/evals";
import { createDesk } from "./desk.ts";
export default evaluation({
  name: "refunds", agent: ({ store }) => createDesk({ store, fails: process.env.FAILS === "1" }),
  fakes: { refund: ({ id }) => ({ id }) },
  cases: [{ id: "seven", input: "Refund 7.", expected: { effects: [{ tool: "refund", args: { id: "7" } }] } }],
  must: [effects(), function flimsy() { if (process.env.FLIMSY === "1") throw new Error("no parser"); return 1; }],
});
`;

function project(folder: CommandFolder): void {
  symlinkSync(modules, join(folder.path, "node_modules"));
  writeFileSync(join(folder.path, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder.path, "desk.ts"), desk);
  writeFileSync(join(folder.path, "refunds.eval.ts"), evaluation);
}

test("bailiwick eval passes, fails and cannot judge with the exit codes 0, 1 and 8, and takes runs from its store [evals.command]", async () => {
  await using folder = new CommandFolder();
  project(folder);
  const first = await folder.start(["eval"]).result;
  expect(first.exitCode, first.stderr).toBe(0);
  expect(first.stdout).toMatch(/^passed {2}effects 1\/1 · flimsy 1\/1 · 0 of 1 runs taken from the store$/mu);
  expect(existsSync(join(folder.path, ".bailiwick/evals.db"))).toBe(true);
  const flimsy = await folder.start(["eval", "refunds.eval.ts", "--rescore"], { FLIMSY: "1" }).result;
  expect(flimsy.exitCode, flimsy.stderr).toBe(8);
  expect(flimsy.stdout).toContain("could not judge");
  const failing = await folder.start(["eval", "--fresh", "--json", "--save-baseline"], { FAILS: "1" }).result;
  expect(failing.exitCode, failing.stderr).toBe(1);
  expect(JSON.parse(failing.stdout)).toMatchObject([
    { verdict: "failed", scores: [{ scorer: "effects", perfect: 0 }, {}] },
  ]);
  expect(JSON.parse(readFileSync(join(folder.path, "refunds.eval.baseline.json"), "utf8"))).toMatchObject({
    evaluation: "refunds",
  });
  const junit = await folder.start(["eval", "--reporter", "junit", "--baseline", "refunds.eval.baseline.json"]).result;
  expect(junit.stdout, junit.stderr).toContain('<testsuite name="refunds"');
});

test("bailiwick eval, rehearse and questions say what is missing [evals.command]", async () => {
  await using folder = new CommandFolder();
  writeFileSync(join(folder.path, "a.eval.ts"), evaluation);
  const absent = await folder.start(["eval"]).result;
  expect([absent.exitCode, absent.stderr]).toEqual([
    1,
    expect.stringContaining("npm install --save-dev @bailiwick/evals"),
  ]);
});

test("bailiwick rehearse fails when a rejected call would be let through, and questions counts decisions [evals.command]", async () => {
  await using folder = new CommandFolder();
  project(folder);
  writeFileSync(
    join(folder.path, "start.ts"),
    `import { createDesk } from "./desk.ts"; import { sqliteStore } from "@bailiwick/store-sqlite";
const store = sqliteStore({ path: "runs.db" }); const agent = createDesk({ store, needsApproval: true });
const { runId, interruptions } = await agent.run("Refund 7.");
await agent.resume(runId, interruptions.map((one) => one.reject("No.", { decidedBy: "olga" }))); await store.close();`,
  );
  writeFileSync(
    join(folder.path, "strict.ts"),
    'import { createDesk } from "./desk.ts"; export default createDesk({ needsApproval: true });',
  );
  writeFileSync(
    join(folder.path, "loose.ts"),
    'import { createDesk } from "./desk.ts"; export default createDesk({});',
  );
  const store = ["--store", "sqlite:runs.db"];
  const tsx = fileURLToPath(import.meta.resolve("tsx"));
  const { spawnSync } = await import("node:child_process");
  const started = spawnSync(process.execPath, ["--conditions=@bailiwick/source", "--import", tsx, "start.ts"], {
    cwd: folder.path,
    encoding: "utf8",
  });
  expect(started.status, started.stderr).toBe(0);
  const strict = await folder.start(["rehearse", "strict.ts", ...store]).result;
  expect([strict.exitCode, strict.stdout], strict.stderr).toEqual([0, "1 runs: same 1\n"]);
  const loose = await folder.start(["rehearse", "loose.ts", ...store, "--since", "1d"]).result;
  expect(loose.exitCode, loose.stderr).toBe(1);
  expect(loose.stdout).toContain("a person had rejected it");
  const questions = await folder.start(["questions", "strict.ts", ...store, "--attacks", "refunds.eval.ts", "--json"])
    .result;
  expect(JSON.parse(questions.stdout), questions.stderr).toMatchObject({
    questions: [{ tool: "refund", asked: 1, rejected: 1 }],
  });
});
