import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { bin, CommandFolder } from "../command.fixture.ts";

const modules = fileURLToPath(new URL("../../node_modules", import.meta.url));

/** A simulation of a desk that pays; the tool sends a lost payment again. */
const source = `
import { Agent, tool } from "@bailiwick/agent";
import { receiver, simulatedModel, simulation } from "@bailiwick/testing/simulation";
import { worker } from "@bailiwick/worker";

const model = simulatedModel(({ toolResults }) =>
  toolResults.length > 0 ? "Paid." : { toolCalls: [{ name: "pay", arguments: {} }] });
const send = (): Promise<Response> => fetch("https://bank.example/payments", { method: "POST", body: "{}" });
const pay = tool({
  name: "pay", description: "Pays.", inputSchema: { type: "object", properties: {} }, sideEffectClass: "external-stateful",
  execute: async () => (await send().catch(send)).text(),
});
const bank = receiver("https://bank.example", { "POST /payments": (_, { effect }) => effect("payment", 7) });
export default simulation({
  app: ({ store }) => ({ agents: [new Agent({ name: "desk", model, store, flow: "off", leaseMs: 3_000, tools: [pay] })] }),
  drive: worker, receivers: [bank], work: ["Pay invoice 7."],
});
`;

function project(folder: CommandFolder, text: string = source): string {
  symlinkSync(modules, join(folder.path, "node_modules"));
  writeFileSync(join(folder.path, "package.json"), '{ "type": "module" }');
  const file = join(folder.path, "pay.sim.ts");
  writeFileSync(file, text);
  return file;
}

test("bailiwick simulate prints the shortest history, repeats it, and saves it as a known one [simulation.command]", async () => {
  await using folder = new CommandFolder(bin);
  const file = project(folder);
  const history = "w1/bank.example.POST /payments#1=lost";
  const quiet = await folder.start(["simulate", "pay.sim.ts", "--seeds", "2", "--no-single"]).result;
  expect(quiet).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("2 histories: no promise is broken") as string,
  });
  const alone = await folder.start(["simulate", "pay.sim.ts", "--history", history, "--save"]).result;
  expect(alone.exitCode, alone.stderr).toBe(1);
  expect(alone.stdout).toContain("Broken: payment 7 was made twice, by w1 and by w1.");
  expect(alone.stdout).toContain(`Repeat it: npx bailiwick simulate pay.sim.ts --history '${history}'`);
  expect(JSON.parse(readFileSync(`${file}.histories.json`, "utf8"))).toEqual([history]);
  const known = await folder.start(["simulate", "pay.sim.ts", "--seeds", "2", "--no-single", "--jobs", "2", "--json"])
    .result;
  expect(known.exitCode).toBe(1);
  expect(JSON.parse(known.stdout)).toMatchObject({ known: 1, histories: 2, broken: [{ historyText: history }] });
});

test("bailiwick simulate plants defects, and says that a history cannot be repeated [simulation.command]", async () => {
  await using folder = new CommandFolder(bin);
  project(
    folder,
    `let starts = 0;${source.replace("execute: async () =>", "execute: async () => (await new Promise((done) => setTimeout(done, starts++)), 0) ||")}`,
  );
  const undecided = await folder.start(["simulate", "pay.sim.ts", "--seeds", "1"]).result;
  expect(undecided.exitCode, undecided.stderr).toBe(8);
  expect(undecided.stderr).toContain("NOT_REPEATABLE");
  const tested = await folder.start(["simulate", "pay.sim.ts", "--self-test"]).result;
  expect(tested.stdout + tested.stderr).toMatch(/Noticed with seed|Not noticed/);
});

test("bailiwick simulate says how to install what is missing, and which file is absent [simulation.command]", async () => {
  await using folder = new CommandFolder(bin);
  const missing = await folder.start(["simulate", "absent.sim.ts"]).result;
  expect(missing).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("There is no file") as string });
  mkdirSync(dirname(join(folder.path, "pay.sim.ts")), { recursive: true });
  writeFileSync(join(folder.path, "pay.sim.ts"), source);
  const absent = await folder.start(["simulate", "pay.sim.ts"]).result;
  expect(absent).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("npm install --save-dev @bailiwick/testing") as string,
  });
});

test("bailiwick crash counts the effects of a tool after each crash [simulation.command]", async () => {
  await using folder = new CommandFolder(bin);
  project(folder);
  const { exitCode, stdout, stderr } = await folder.start(["crash", "pay.sim.ts", "--input", "Pay invoice 9."]).result;
  expect(exitCode, stderr).toBe(0);
  expect(stdout).toMatch(
    /^pay: \d+ crashes: \d+ once, 0 repeated with one key, \d+ a person was asked, 0 repeated, 0 lost/,
  );
});
