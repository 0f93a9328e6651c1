// Memory of a run that waits for its model, and allocations of a turn. Run from the root with:
//   pnpm exec node --expose-gc --conditions=@bailiwick/source bench/memory/waiting.mjs [memory|http|sqlite] [--turns N] [--by constructor|site] [--garbage]
// --turns: turns with one tool call before the runs wait (default 0). --by: what the heap consists of, by kind of object
// or by the function that made it. --garbage: what a turn allocates, by function, instead.
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Agent, tool } from "../../packages/agent/src/index.ts";
import { openai } from "../../packages/providers-openai/src/index.ts";
import { sqliteStore } from "../../packages/store-sqlite/src/index.ts";
import { scriptedModel } from "../../packages/testing/src/index.ts";
import { bySite, constructorsOf } from "./heap.mjs";

const [kind = "memory", ...flags] = process.argv.slice(2);
const flag = (name, otherwise) => (flags.includes(name) ? (flags[flags.indexOf(name) + 1] ?? true) : otherwise);
if (kind === "server") await serve();
else await measure();

/** A model over HTTP that calls a tool for so many turns, and then never answers. */
async function serve() {
  const server = http.createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => (body += piece));
    request.on("end", () => {
      const { messages } = JSON.parse(body);
      const done = messages.filter(({ role }) => role === "assistant").length;
      const [, turns] = /TURNS=(\d+)/.exec(body);
      if (done >= Number(turns)) {
        process.send("waits");
        return;
      }
      const call = { id: `call_${done}`, type: "function", function: { name: "add", arguments: `{"a":${done},"b":1}` } };
      const message = { role: "assistant", content: null, tool_calls: [call] };
      const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ id: "c", object: "chat.completion", created: 1, model: "m", choices: [{ index: 0, message, finish_reason: "tool_calls" }], usage }));
    });
  });
  server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));
}

async function measure() {
  const turns = Number(flag("--turns", 0));
  const runs = Number(flag("--runs", 500));
  const by = flag("--by");
  const garbage = flags.includes("--garbage");
  const folder = mkdtempSync(join(tmpdir(), "bailiwick-memory-"));
  let waiting = 0;
  let whenAll;
  const arrived = () => {
    waiting += 1;
    if (waiting >= runs) whenAll?.();
  };
  const never = new Promise(() => undefined);
  const add = tool({
    name: "add",
    description: "Adds two numbers.",
    inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"], additionalProperties: false },
    sideEffectClass: "pure",
    execute: ({ a, b }) => String(a + b),
  });

  /** Calls the tool for so many turns, and then never answers. */
  function slowModel() {
    const scripted = scriptedModel((request) => {
      const done = request.messages.filter(({ role }) => role === "assistant").length;
      return { toolCalls: [{ name: "add", arguments: { a: done, b: 1 } }] };
    });
    const answer = async (how, request) => {
      const [, wanted] = /TURNS=(\d+)/.exec(request.messages.find(({ role }) => role === "user").content);
      const done = request.messages.filter(({ role }) => role === "assistant").length;
      if (done < Number(wanted)) return scripted[how](request);
      arrived();
      return never;
    };
    return { ...scripted, generate: (request) => answer("generate", request) };
  }

  let model;
  if (kind === "http") {
    const server = fork(fileURLToPath(import.meta.url), ["server"], { execArgv: process.execArgv });
    const port = await new Promise((resolve) => server.once("message", (message) => resolve(message.port)));
    server.on("message", arrived);
    process.on("exit", () => server.kill());
    model = openai("gpt-4o", { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: "x", api: "chat" });
  } else model = slowModel();
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  const agent = new Agent({
    name: "bench",
    model,
    instructions: "You are a benchmark agent. Use the tools, then answer.",
    tools: [add],
    maxTurns: 1_000,
    loopDetection: false,
    logger: quiet,
    ...(kind === "sqlite" && { store: sqliteStore({ path: join(folder, "runs.db") }) }),
  });
  const begin = async (count, wanted) => {
    const all = new Promise((resolve) => (whenAll = resolve));
    waiting = runs - count;
    const begun = Array.from({ length: count }, () => agent.run(`TURNS=${wanted}`).catch((error) => console.error(error)));
    const failed = Promise.race(begun).then(() => Promise.reject(new Error("A run ended.")));
    await Promise.race([all, failed]);
    await new Promise((resolve) => setTimeout(resolve, 300));
  };
  const settled = async () => {
    for (let round = 0; round < 4; round += 1) {
      globalThis.gc();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const { heapUsed, external, arrayBuffers } = process.memoryUsage();
    return { heapUsed, external, arrayBuffers };
  };

  await begin(30, turns);
  const session = new Session();
  session.connect();
  const before = await settled();
  const constructorsBefore = by === "constructor" ? await constructorsOf(session) : undefined;
  if (by === "site" || garbage)
    await session.post("HeapProfiler.startSampling", {
      samplingInterval: garbage ? 1_024 : 128,
      stackDepth: 64,
      ...(garbage && { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true }),
    });
  await begin(runs, turns);
  const after = garbage ? undefined : await settled();
  if (after !== undefined) {
    const each = (what) => ((after[what] - before[what]) / runs / 1_024).toFixed(1);
    console.log(`${kind}, ${turns} turns, ${runs} runs wait: ${each("heapUsed")} KB of heap a run, ${each("external")} KB outside it`);
  }
  const per = (bytes) => bytes / runs / (garbage ? turns + 1 : 1);
  if (by === "site" || garbage) {
    const { profile } = await session.post("HeapProfiler.stopSampling");
    for (const line of bySite(profile, per)) console.log(line);
  }
  if (constructorsBefore !== undefined) {
    const now = await constructorsOf(session);
    const rows = [...now].map(([name, { count, bytes }]) => {
      const was = constructorsBefore.get(name) ?? { count: 0, bytes: 0 };
      return { name, count: (count - was.count) / runs, bytes: (bytes - was.bytes) / runs };
    });
    for (const { name, count, bytes } of rows.toSorted((a, b) => b.bytes - a.bytes).slice(0, 70))
      console.log(`${Math.round(bytes).toString().padStart(7)} B ${count.toFixed(1).padStart(7)} ${name}`);
  }
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}
