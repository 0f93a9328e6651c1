// Agents use the reference servers of the protocol: one that has everything, one for files, and one for memory.
import { match, ok } from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Agent, memoryStore } from "@bailiwick/agent";
import { mcp } from "@bailiwick/mcp";
import { scriptedModel } from "@bailiwick/testing";
import { openCases } from "../lib/cases.mjs";

const { check, end } = openCases("mcp-servers", new URL("./", import.meta.url));
const programOf = (name) => fileURLToPath(import.meta.resolve(`@modelcontextprotocol/${name}/dist/index.js`));
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const readers = { "*": { sideEffectClass: "read-only" } };

/** An agent whose model makes the given calls, one a turn. */
function agentOf(server, calls, given = {}) {
  const script = calls.map(([name, args = {}]) => ({ toolCalls: [{ name, arguments: args }] }));
  const model = scriptedModel([...script, "Done."]);
  return new Agent({ name: "user", model, store: memoryStore(), mcp: [server], logger: silent, ...given });
}
/** The text of the first result of one call. */
async function call(server, name, args, given) {
  const { toolCalls, status } = await agentOf(server, [[name, args]], given).run("Use the tool.");
  ok(toolCalls[0], `The run is ${status} and has no call.`);
  return { ...toolCalls[0], text: JSON.stringify(toolCalls[0].output) };
}
const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

const answer = {
  action: "accept",
  content: { name: "Ana", check: true, email: "ana@shop.example", interpretation: "x" },
};
const everything = programOf("server-everything");
const terms = {
  tools: readers,
  elicitation: () => answer,
  sampling: true,
  roots: [{ uri: "file:///notes", name: "notes" }],
};

/** Runs agents against server-everything and checks each of its features. */
async function useEverything(transport, server, address) {
  await check(`everything, ${transport}: texts, numbers and images`, async () => {
    match((await call(server, "echo", { message: "rain" })).text, /Echo: rain/u);
    match((await call(server, "get-sum", { a: 2, b: 3 })).text, /is 5/u);
    const model = scriptedModel([{ toolCalls: [{ name: "get-tiny-image", arguments: {} }] }, "Done."]);
    const { messages } = await agentOf(server, [], { model }).run("Show.");
    match(JSON.stringify(messages), /"type":"image"/u);
  });
  await check(`everything, ${transport}: structured content is checked`, async () => {
    const { output } = await call(server, "get-structured-content", { location: "Chicago" });
    ok(typeof output.temperature === "number", JSON.stringify(output));
  });
  await check(`everything, ${transport}: wrong arguments are an error for the model`, async () => {
    const { isError } = await call(server, "get-structured-content", { location: "Rome" });
    ok(isError);
  });
  await check(`everything, ${transport}: progress of a long call`, async () => {
    const run = agentOf(server, [["trigger-long-running-operation", { duration: 1, steps: 4 }]]).stream("Go.");
    const seen = [];
    for await (const event of run) if (event.type === "tool.progress") seen.push(event.fraction);
    match(JSON.stringify((await run.result).toolCalls[0].output), /completed/u);
    ok(seen.length >= 3, `${seen.length} reports`);
  });
  await check(`everything, ${transport}: a form is answered`, async () => {
    match((await call(server, "trigger-elicitation-request")).text, /Ana/u);
  });
  await check(`everything, ${transport}: a run waits for the answer to a form`, async () => {
    await using asking = mcp({ ...address, ...terms, elicitation: "suspend", name: "asking" });
    const agent = agentOf(asking, [["trigger-elicitation-request"]]);
    const waiting = await agent.run("Ask.");
    ok(waiting.status === "suspended", waiting.status);
    const done = await agent.resume(
      waiting.runId,
      waiting.interruptions.map((one) => one.answer(answer)),
    );
    match(JSON.stringify(done.toolCalls[0].output), /Ana/u);
  });
  await check(`everything, ${transport}: the agent's model answers, and its tokens are counted`, async () => {
    const model = scriptedModel((request) => {
      if (request.tools.length === 0) return { text: "A rainy answer.", usage: { outputTokens: 5_000 } };
      if (request.toolResults.length > 0) return "Done.";
      return { toolCalls: [{ name: "trigger-sampling-request", arguments: { prompt: "Rain?", maxTokens: 50 } }] };
    });
    const { toolCalls, usage } = await agentOf(server, [], { model }).run("Sample.");
    match(JSON.stringify(toolCalls[0].output), /A rainy answer/u);
    ok(usage.outputTokens >= 5_000, JSON.stringify(usage));
  });
  await check(`everything, ${transport}: a task with a question is followed to its result`, async () => {
    const { text, isError } = await call(server, "simulate-research-query", { topic: "rain", ambiguous: true });
    ok(!isError, text);
    match(text, /rain/u);
  });
  await check(`everything, ${transport}: roots, resources, prompts`, async () => {
    match((await call(server, "get-roots-list")).text, /notes/u);
    const [first] = await server.listResources();
    ok((await server.readResource(first.uri)).length > 0, "the resource is empty");
    const prompts = await server.listPrompts();
    ok(
      prompts.some(({ name }) => name === "args-prompt"),
      JSON.stringify(prompts),
    );
    match(JSON.stringify(await server.getPrompt("args-prompt", { city: "Rome", state: "IT" })), /Rome/u);
  });
}

const stdio = { name: "everything", command: process.execPath, args: [everything], sandbox: "none" };
{
  await using server = mcp({ ...stdio, ...terms });
  await useEverything("stdio", server, stdio);
}
{
  const port = await freePort();
  const child = spawn(process.execPath, [everything, "streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    for await (const bytes of child.stderr) if (/listening/u.test(String(bytes))) break;
    const http = { name: "everything", url: `http://127.0.0.1:${port}/mcp` };
    await using server = mcp({ ...http, ...terms });
    await useEverything("HTTP", server, http);
  } finally {
    child.kill("SIGKILL");
  }
}

const folder = mkdtempSync(join(tmpdir(), "mcp-servers-"));
try {
  const root = join(folder, "notes");
  mkdirSync(root);
  writeFileSync(join(root, "a.txt"), "first");
  const command = { command: process.execPath, sandbox: "none" };
  const declared = {
    "*": { sideEffectClass: "external-stateful" },
    "list_*": { sideEffectClass: "read-only" },
    read_text_file: { sideEffectClass: "read-only" },
  };
  await check("filesystem: reads, and asks a person before it writes what it read", async () => {
    await using files = mcp({
      ...command,
      name: "files",
      args: [programOf("server-filesystem"), root],
      tools: declared,
    });
    const file = join(root, "b.txt");
    const agent = agentOf(files, [
      ["read_text_file", { path: join(root, "a.txt") }],
      ["write_file", { path: file, content: "second" }],
    ]);
    const waiting = await agent.run("Copy the note.");
    ok(waiting.status === "suspended", waiting.status);
    match(JSON.stringify(waiting.toolCalls[0].output), /first/u);
    const decisions = waiting.interruptions.map((one) => one.approve());
    const done = await agent.resume(waiting.runId, decisions);
    ok(done.status === "completed", done.status);
    ok(readFileSync(file, "utf8") === "second");
  });
  await check("filesystem: a path outside of its folder is an error for the model", async () => {
    await using files = mcp({
      ...command,
      name: "files",
      args: [programOf("server-filesystem"), root],
      tools: declared,
    });
    const { isError, text } = await call(files, "read_text_file", { path: "/etc/hostname" });
    ok(isError, text);
  });
  await check("memory: keeps what an agent stores when its process is killed, and is started again", async () => {
    const kept = join(folder, "memory.jsonl");
    const env = { MEMORY_FILE_PATH: kept };
    await using graph = mcp({ ...command, name: "graph", args: [programOf("server-memory")], env, tools: readers });
    const entities = [{ name: "Ana", entityType: "person", observations: ["likes rain"] }];
    const { isError, text } = await call(graph, "create_entities", { entities });
    ok(!isError, text);
    killProgram(programOf("server-memory"));
    match((await call(graph, "read_graph")).text, /likes rain/u);
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
end();

/** Kills the children of this process that run a program. */
function killProgram(program) {
  const own = String(process.pid);
  for (const id of readFileSync(`/proc/${own}/task/${own}/children`, "utf8").trim().split(" ")) {
    if (readFileSync(`/proc/${id}/cmdline`, "utf8").includes(program)) process.kill(Number(id), "SIGKILL");
  }
}
