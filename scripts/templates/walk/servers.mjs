// Commands that run until they are stopped, and schedules.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runStep, until } from "../../lib/processes.mjs";
import { refundInChat } from "../chat.mjs";
import { load } from "../mcp.mjs";
import { enqueue, expect, stateOf } from "./runs-and-decisions.mjs";

/** @typedef {import("./command-walk.mjs").CommandWalk} CommandWalk */
/** @typedef {import("../refund-script.mjs").TemplateProject} TemplateProject */

/**
 * @param {CommandWalk} walk
 * @param {TemplateProject} project
 * @param {() => void} release lets the model's answers go
 */
export async function walkServers(walk, project, release) {
  await walkSchedules(walk, project);
  await walkWorker(walk, project);
  await walkStudio(walk);
  await walkDev(walk, project, release);
  await walkMcp(walk);
}

/** @param {CommandWalk} walk @param {TemplateProject} project */
async function walkSchedules(walk, { path, env }) {
  await runStep("npm run schedule", "npm", ["run", "--silent", "schedule"], path, env);
  const { value } = await walk.look(["schedules", "list"]);
  expect(value.map((/** @type {{ id: string }} */ { id }) => id).join(), "morning", "the schedules");
  await walk.call(["schedules", "pause", "morning"]);
  expect((await walk.look(["schedules", "list"])).value[0].paused, true, "the paused schedule");
  await walk.call(["schedules", "resume", "morning", "--json"]);
  await walk.call(["schedules", "remove", "morning"]);
  const gone = await walk.call(["schedules", "pause", "morning", "--json"], { exit: 3 });
  expect(gone.errorCode, "SCHEDULE_NOT_FOUND", "the error of a schedule that was removed");
}

/** @param {CommandWalk} walk @param {TemplateProject} project */
async function walkWorker(walk, project) {
  const worker = walk.start(["worker", "--json"]);
  const run = await enqueue(project, "hello");
  const [line] = await worker.printed(/\{"runId".*\}/);
  expect(JSON.parse(line).runId, run, "the run that the worker drove");
  expect(await worker.stop(), 0, "the exit code of a worker on SIGTERM");
}

/** @param {CommandWalk} walk */
async function walkStudio(walk) {
  const studio = walk.start(["studio", "--port", "0"]);
  const [, link = ""] = await studio.printed(/Studio at (http\S+)/);
  expect((await fetch(link)).status, 200, "the studio's page");
  const second = await walk.call(["studio", "--port", new URL(link).port, "--json"], { exit: 1 });
  expect(second.errorCode, "CLI_PORT", "the error of a port that is taken");
  expect(await studio.stop(), 0, "the exit code of the studio on SIGTERM");
}

/**
 * Changes a file while a run is driven: the run ends once, and new chats see the change.
 *
 * @param {CommandWalk} walk
 * @param {TemplateProject} project
 * @param {() => void} release
 */
async function walkDev(walk, project, release) {
  const dev = walk.start(["dev", "--port", "0"]);
  const [, base = ""] = await dev.printed(/(http\S+)\/agents\/desk/);
  await dev.printed(/Studio at http\S+/);
  await refundInChat(`${base}/agents/desk`);
  const run = await enqueue(project, "hold the line");
  await until("dev drives the run", async () => ((await stateOf(walk, run)) === "running" ? true : undefined));
  const agent = join(project.path, "src/agent.ts");
  writeFileSync(agent, readFileSync(agent, "utf8").replace("You help customers", "You kindly help customers"));
  await dev.printed(/Reloaded\./);
  release();
  await until("the run ends after the reload", async () => {
    const state = await stateOf(walk, run);
    return state === "completed" ? true : undefined;
  });
  await refundInChat(`${base}/agents/desk`);
  writeFileSync(agent, `${readFileSync(agent, "utf8")}\nexport const broken = {`);
  await dev.printed(/The new agents did not load/);
  await refundInChat(`${base}/agents/desk`);
  writeFileSync(agent, readFileSync(agent, "utf8").replace("\nexport const broken = {", ""));
  expect(await dev.stop(), 0, "the exit code of dev on SIGTERM");
}

/** @param {CommandWalk} walk */
async function walkMcp(walk) {
  const { Client, StreamableHTTPClientTransport } = await load("@modelcontextprotocol/client");
  const server = walk.start(["mcp", "--http", "0", "--questions", "refuse"]);
  const [, url = ""] = await server.printed(/MCP server at (http\S+)/);
  const client = new Client({ name: "walk", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const { tools } = await client.listTools();
  const names = tools.map((/** @type {{ name: string }} */ { name }) => name);
  expect(names.includes("ask_desk") && names.includes("ask_shop"), true, `the tools ${names.join(", ")}`);
  await client.close();
  expect(await server.stop(), 0, "the exit code of mcp on SIGTERM");
}
