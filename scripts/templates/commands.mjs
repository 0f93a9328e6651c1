// Every command of `bailiwick`, called like a user in a project created from the worker template.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readJson } from "../lib/packed-packages.mjs";
import { CommandWalk } from "./walk/command-walk.mjs";
import { walkDecisions, walkRuns } from "./walk/runs-and-decisions.mjs";
import { walkServers } from "./walk/servers.mjs";

/** Answers of the model that wait until the test releases them. */
let held = true;

/**
 * A model that does the action in the first message.
 *
 * @type {import("../../packages/testing/src/index.ts").ScriptFunction}
 */
export const script = ({ messages, lastUserText: asked }) => {
  if (messages.at(-1)?.role === "tool") return "Your money is on its way.";
  if (asked.includes("hold") && held) return { faults: { hangAfterEvents: 0 } };
  if (asked.includes("fail")) return { faults: { error: { status: 400 } } };
  if (asked.includes("colour")) return { toolCalls: [{ name: "ask_colour", arguments: {} }] };
  if (asked.includes("parcel")) return { toolCalls: [{ name: "send_parcel", arguments: { orderId: "1042" } }] };
  if (asked.includes("hello") || asked.includes("hold")) return "Hello.";
  return { toolCalls: [{ name: "refund", arguments: { orderId: "1042", amount: 20 } }] };
};

/** @param {import("./refund-script.mjs").TemplateProject} project */
export async function drive(project) {
  const { path } = project;
  const { bin } = readJson(join(path, "node_modules/bailiwick/package.json"));
  const walk = new CommandWalk(join(path, "node_modules/bailiwick", bin.bailiwick), project);
  await walkFreshProject(walk, path);
  addShop(path);
  const tools = await walk.look(["declare"], { exit: 1 });
  if (tools.value.map((/** @type {{ name: string }} */ { name }) => name).join() !== "look_up")
    throw new Error(`declare lists ${JSON.stringify(tools.value)}, not look_up alone.`);
  await walkRuns(walk, project, () => (held = false));
  held = true;
  await walkDecisions(walk, project);
  await walkServers(walk, project, () => (held = false));
  await walkSimulations(walk, path);
  await walkEvaluations(walk, path);
  await walkSkills(walk, path);
  const left = await walk.uncalled();
  if (left.length > 0) throw new Error(`No step of the walk calls ${left.join(", ")}.`);
}

/**
 * Commands before the project has a store, and wrong command lines.
 *
 * @param {CommandWalk} walk
 * @param {string} path
 */
async function walkFreshProject(walk, path) {
  const store = ["--store", "sqlite:runs.db"];
  expectCode(await walk.call(["runs", "list", ...store, "--json"], { exit: 1 }), "CLI_STORE");
  expectCode(await walk.call(["runs", "list", "--store", "mysql://x", "--json"], { exit: 1 }), "CLI_STORE");
  expectCode(await walk.call(["runs", "list", "--entry", "none.ts", "--json"], { exit: 1 }), "CLI_CONFIG");
  if (existsSync(join(path, "runs.db"))) throw new Error("A command that only looks created the store.");
  for (const args of [["run"], ["runs", "list", "--stat"], ["runs", "show"], ["worker", "--concurrency", "no"]])
    await walk.call(args, { exit: 2 });
  expectCode(await walk.call(["migrate", "--json"], { exit: 2 }), "CLI_USAGE");

  const { stdout: sql } = await walk.call(["migrate", "--sql", "mine"]);
  if (!sql.includes('CREATE TABLE "mine".')) throw new Error(`migrate --sql printed ${sql}`);
  await walk.call(["migrate", ...store]);
  const again = await walk.call(["migrate", ...store, "--json"]);
  if (again.value.migrated !== true) throw new Error(`migrate printed ${again.stdout}`);

  const doctor = await walk.look(["doctor", "--no-sandboxes"]);
  const names = doctor.value.checks.map((/** @type {{ name: string }} */ { name }) => name).join(", ");
  for (const name of ["Node", "store", "clock", "model of desk", "tools of desk"])
    if (!names.includes(name)) throw new Error(`doctor checks ${names}, and not ${name}.`);
  await walk.call(["doctor", "--json"]);
  const keyless = await walk.call(["doctor", "--no-sandboxes"], { env: { OPENAI_API_KEY: "" } });
  if (!keyless.stdout.includes("OPENAI_API_KEY")) throw new Error(`doctor misses no key: ${keyless.stdout}`);
  await walk.look(["declare"]);
  await walk.look(["explain", "run_busy"]);
  await walk.call(["explain", "RUN_LOST"], { exit: 3 });
  if ((await walk.look(["runs", "list"])).value.length > 0) throw new Error("A fresh project has runs.");
  await walk.look(["inbox", "list"]);
  await walk.look(["schedules", "list"]);
}

/**
 * A simulation of an agent, its crash test, and a command without a file.
 *
 * @param {CommandWalk} walk
 * @param {string} path
 */
async function walkSimulations(walk, path) {
  copyFileSync(fileURLToPath(new URL("./walk/greeter.sim.txt", import.meta.url)), join(path, "greeter.sim.ts"));
  const { stdout } = await walk.call(["simulate", "greeter.sim.ts", "--seeds", "3"]);
  if (!stdout.includes("no promise is broken")) throw new Error(`simulate printed ${stdout}`);
  await walk.call(["crash", "greeter.sim.ts"]);
  await walk.call(["simulate"], { exit: 2 });
}

/**
 * Commands of a package that the project has not installed: each says what to install.
 *
 * @param {CommandWalk} walk
 * @param {string} path
 */
async function walkEvaluations(walk, path) {
  writeFileSync(join(path, "desk.eval.ts"), "export default {};\n");
  for (const args of [["eval"], ["rehearse", "bailiwick.config.ts"], ["questions"]])
    expectCode(await walk.call([...args, "--json"], { exit: 1 }), "EVALS_NOT_INSTALLED");
}

/**
 * A skill from its folder to its acceptance.
 *
 * @param {CommandWalk} walk
 * @param {string} path
 */
async function walkSkills(walk, path) {
  const env = { XDG_STATE_HOME: join(path, "state") };
  mkdirSync(join(path, "skills/returns"), { recursive: true });
  const text = ["---", "name: returns", "description: How to handle a return.", "---", "Ask first.", ""].join("\n");
  writeFileSync(join(path, "skills/returns/SKILL.md"), text);
  const { value } = await walk.call(["skills", "list", "--json"], { env });
  await walk.call(["skills", "check"], { exit: 1, env });
  await walk.call(["skills", "lock"], { env });
  await walk.call(["skills", "check"], { env });
  await walk.call(["skills", "diff"], { env });
  await walk.call(["skills", "accept", "returns", "--by", "Ana", "--yes", "--hash", value.skills[0].hash], { env });
}

/**
 * Adds a second agent to the project, and a program that enqueues its runs.
 *
 * @param {string} path
 */
function addShop(path) {
  copyFileSync(fileURLToPath(new URL("./walk/shop.txt", import.meta.url)), join(path, "shop.ts"));
  const enqueue = readFileSync(join(path, "src/enqueue.ts"), "utf8");
  writeFileSync(
    join(path, "src/enqueue-shop.ts"),
    enqueue.replace("./desk.ts", "../shop.ts").replaceAll("desk", "shop"),
  );
  const config = readFileSync(join(path, "bailiwick.config.ts"), "utf8");
  writeFileSync(
    join(path, "bailiwick.config.ts"),
    `import { shop } from "./shop.ts";\n${config.replace("agents: [desk]", "agents: [desk, shop]")}`,
  );
}

/** @param {import("./walk/command-walk.mjs").Called} called @param {string} code */
function expectCode(called, code) {
  if (called.errorCode !== code) throw new Error(`Expected the error ${code}, got ${called.stderr}`);
}
