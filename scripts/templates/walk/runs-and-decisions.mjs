// Commands about stored runs and their questions.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runStep, until } from "../../lib/processes.mjs";

/** @typedef {import("./command-walk.mjs").CommandWalk} CommandWalk */
/** @typedef {import("../refund-script.mjs").TemplateProject} TemplateProject */

/**
 * Stores a run of the project's agent.
 *
 * @param {TemplateProject} project
 * @param {string} text
 * @param {"enqueue" | "enqueue-shop"} [program]
 */
export async function enqueue({ path, env }, text, program = "enqueue") {
  const args = ["--import", "tsx", `src/${program}.ts`, text];
  return (await runStep(program, process.execPath, args, path, env)).trim();
}

/**
 * Lists, shows, drives, cancels, forks, retries, discards, exports and verifies runs.
 *
 * @param {CommandWalk} walk
 * @param {TemplateProject} project
 * @param {() => void} release lets the model's answers go
 */
export async function walkRuns(walk, project, release) {
  const { path } = project;
  const hello = await enqueue(project, "hello");
  const queued = await walk.look(["runs", "list", "--state", "queued"]);
  expect(queued.value.map((/** @type {{ id: string }} */ { id }) => id).join(), hello, "the queued runs");
  await walk.call(["worker", "--once"]);
  const shown = await walk.look(["runs", "show", hello.slice(0, 8)]);
  expect(shown.value.output.text, "Hello.", "the answer of the run");

  // A run that another process drives.
  const busy = await enqueue(project, "hold the line");
  const driver = walk.start(["runs", "resume", busy]);
  await until("the run is driven", async () => ((await stateOf(walk, busy)) === "running" ? true : undefined));
  const second = await walk.call(["runs", "resume", busy, "--json"], { exit: 4 });
  expect(second.errorCode, "RUN_BUSY", "the error of a run that is driven");
  expect(
    (await walk.call(["runs", "discard", busy, "--yes", "--json"], { exit: 5 })).errorCode,
    "CLI_CONFIRMATION",
    "",
  );
  await driver.kill();
  release();
  await walk.call(["runs", "resume", busy, "--former-is-gone"]);

  const asked = await enqueue(project, "Refund order 1042");
  await walk.call(["runs", "resume", asked], { exit: 6 });
  const fork = await walk.call(["runs", "fork", asked, "--json"]);
  expect(
    (await walk.call(["runs", "graph", asked, "--json"])).value.nodes[0].kind,
    "agent",
    "the first node of a graph",
  );
  const both = await walk.call(["runs", "list", "--state", "suspended", "--json"]);
  expect(both.value.length, 1, "the suspended runs before the fork is driven");
  await walk.call(["runs", "resume", fork.value.runId], { exit: 6 });
  await walk.call(["runs", "fork", asked, "--at", "1", "--message", "hello", "--resume"]);
  for (const id of [asked, fork.value.runId]) await walk.call(["runs", "cancel", id, "--reason", "not needed"]);
  await walk.call(["runs", "resume", asked], { exit: 7 });

  const failing = await enqueue(project, "fail");
  await walk.call(["runs", "resume", failing], { exit: 1 });
  expect(await stateOf(walk, failing), "failed", "the state of the run");
  await walk.call(["runs", "retry", failing]);
  expect(await stateOf(walk, failing), "queued", "the state of a run that is tried again");
  await walk.call(["runs", "cancel", failing, "--json"]);
  expect((await walk.call(["runs", "retry", hello, "--json"], { exit: 5 })).errorCode, "RUN_NOT_RETRYABLE", "");

  await walk.call(["runs", "export", hello, "--output", "run.jsonl"]);
  const piped = await walk.call(["runs", "export", hello]);
  expect(piped.stdout, readFileSync(join(path, "run.jsonl"), "utf8"), "the export");
  await walk.look(["runs", "verify", hello]);
  await walk.look(["runs", "verify", "--file", "run.jsonl"]);
  writeFileSync(join(path, "changed.jsonl"), piped.stdout.replace("Hello.", "Hullo."));
  await walk.look(["runs", "verify", "--file", "changed.jsonl"], { exit: 1 });
  for (const args of [
    ["verify", "--file", "missing.jsonl"],
    ["export", hello, "--output", "no-folder/run.jsonl"],
  ])
    expect((await walk.call(["runs", ...args, "--json"], { exit: 1 })).errorCode, "CLI_FILE", "");

  await walk.call(["runs", "discard", hello], { exit: 5 });
  await walk.call(["runs", "discard", hello, "--yes"]);
  expect((await walk.call(["runs", "show", hello, "--json"], { exit: 3 })).errorCode, "RUN_NOT_FOUND", "");
}

/**
 * Decides a question of each kind.
 *
 * @param {CommandWalk} walk
 * @param {TemplateProject} project
 */
export async function walkDecisions(walk, project) {
  const { path } = project;
  /** @param {string} run */
  const question = async (run) => {
    const { text, value } = await walk.look(["inbox", "list", "--run", run]);
    expect(value.length, 1, `the questions of the run: ${text}`);
    return value[0].id;
  };
  /** @param {string} text @param {"enqueue" | "enqueue-shop"} [program] */
  const ask = async (text, program) => {
    const run = await enqueue(project, text, program);
    await walk.call(["runs", "resume", run], { exit: 6 });
    return { run, id: await question(run) };
  };

  const approved = await ask("Refund order 1042");
  await walk.call(["inbox", "answer", approved.id, "--text", "x"], { exit: 2 });
  const edit = ["--args", '{"orderId":7}', "--json"];
  expect((await walk.call(["inbox", "approve", approved.id, ...edit], { exit: 5 })).errorCode, "EDIT_INVALID", "");
  const done = await walk.call(["inbox", "approve", approved.id.slice(0, 8), "--by", "ana", "--json"]);
  expect(done.value.status, "completed", "the approved run");
  expect((await walk.call(["inbox", "approve", approved.id, "--json"], { exit: 3 })).errorCode, "UNKNOWN_DECISION", "");

  const rejected = await ask("Refund order 1042");
  await walk.call(["inbox", "reject", rejected.id, "--reason", "Too much."]);

  const left = await ask("Refund order 1042");
  const delivered = await walk.call(["inbox", "approve", left.id, "--no-resume", "--json"]);
  expect(delivered.value.delivered, true, "a decision that is left to a worker");
  await walk.call(["worker", "--once"]);
  expect(await stateOf(walk, left.run), "completed", "the run that a worker continued");

  const answered = await ask("Which colour?", "enqueue-shop");
  await walk.call(["inbox", "answer", answered.id, "--value", "{"], { exit: 2 });
  await walk.call(["inbox", "answer", answered.id, "--value", '{"colour":"red"}']);

  const parcel = await enqueue(project, "Send the parcel", "enqueue-shop");
  const driver = walk.start(["runs", "resume", parcel]);
  const sent = join(path, "parcels.txt");
  await until("the parcel is sent", () => (existsSync(sent) ? true : undefined));
  await driver.kill();
  await walk.call(["runs", "resume", parcel, "--former-is-gone"], { exit: 6 });
  await walk.call(["inbox", "settle", await question(parcel), "happened", "--output", '"sent"']);
  expect(readFileSync(sent, "utf8"), "1042\n", "the parcels that were sent");
}

/** @param {CommandWalk} walk @param {string} run */
export async function stateOf(walk, run) {
  return (await walk.call(["runs", "show", run, "--json"])).value.run.state;
}

/** @param {unknown} actual @param {unknown} expected @param {string} title */
export function expect(actual, expected, title) {
  if (actual !== expected)
    throw new Error(`Expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}. ${title}`);
}
