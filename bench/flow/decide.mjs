/**
 * Cost of one decision of the information-flow policy: a writer with ten labelled arguments, after untrusted and
 * private results were read, under up to eight grants. Prints microseconds of CPU a decision, the fastest of many rounds;
 * the budget is 5.
 *
 * Usage: node --conditions=@bailiwick/source bench/flow/decide.mjs (from a checkout), or after a build without the condition.
 */
import { resolveTool, tool } from "../../packages/core/src/index.ts";
import { defaultHasher } from "../../packages/core/src/extension.ts";
import { flowPolicy } from "../../packages/security/src/index.ts";

const names = Array.from({ length: 10 }, (_, index) => `argument${index}`);
const resolve = (given) => resolveTool(given, undefined, { ports: { hasher: defaultHasher() } });
const schema = { type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])) };
const writer = { description: "Writes.", inputSchema: schema, sideEffectClass: "external-stateful", idempotencyKey: "call", execute: () => "ok" };
const write = resolve(tool({ ...writer, name: "write" }));
const note = resolve(tool({ ...writer, name: "note", flow: { authority: names.slice(0, 2), payload: names.slice(2) } }));
const read = resolve(tool({ name: "read", description: "Reads.", inputSchema: { type: "object" }, sideEffectClass: "read-only", execute: () => "text" }));
const args = Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
const fixed = Object.fromEntries(names.map((name) => [name, { eq: `value of ${name}` }]));

/** A run that has read something untrusted and private. */
async function begin(grants, { clean = false } = {}) {
  const policy = flowPolicy();
  let seq = 0;
  const record = (event) => {
    const labels = run.labelFor(event);
    run.observe({ ...event, ...labels, seq: (seq += 1), at: 0, key: String(seq), runId: "r" });
  };
  const run = await policy.begin({
    runId: "r",
    options: { mode: "enforce", planner: false, grants },
    grants: [],
    tools: () => tools,
    instructions: () => "",
    messages: () => [],
    sessionId: "s",
    record,
    callModel: () => Promise.reject(new Error("no model")),
  });
  const user = { id: "u", role: "user", content: "Do it." };
  const answer = (turn, name, id) => ({
    type: "model.result",
    turn,
    attempt: 1,
    message: { id: `m${turn}`, role: "assistant", content: [], toolCalls: [{ id, name, arguments: "{}" }], finishReason: "tool_calls", provenance: { provider: "p", api: "a", model: "m" } },
    usage: {},
    finishReason: "tool_calls",
    warnings: [],
    durationMs: 0,
    retries: 0,
  });
  record({ type: "run.start", version: 1, runId: "r", agentName: "a", sessionId: "s", metadata: {}, model: "m", modelProvider: "p", definitionHash: "", tools: {}, history: [], input: [user], sessionState: {} });
  run.journalGrants();
  if (clean) {
    record(answer(2, "write", "c2"));
    return run;
  }
  record(answer(1, "read", "c1"));
  const call = { turn: 1, index: 0, toolCallId: "c1", toolName: "read" };
  record({ type: "tool.outcome", ...call, attempt: 1, output: "text", durationMs: 0 });
  record({ type: "tool.result", ...call, message: { id: "t1", role: "tool", toolCallId: "c1", toolName: "read", content: "text" }, result: { toolCallId: "c1", toolName: "read", input: {}, isError: false, durationMs: 0 } });
  record(answer(2, "write", "c2"));
  return run;
}

const tools = [write, note, read];
const call = { turn: 2, index: 0, toolCallId: "c2", tool: write, input: args, args };
const other = Object.fromEntries(names.map((name) => [name, { eq: "another value" }]));
const grants = [...Array.from({ length: 7 }, () => ({ tool: "write", args: other })), { tool: "write", args: fixed, from: [{ tool: "read" }] }];

/** User CPU of the fastest of many short rounds: other work on the machine makes a round slower, never faster. */
function measure(what, run, decided, expected) {
  const { verdict } = run.decide(decided);
  if (verdict !== expected) throw new Error(`${what}: decided "${verdict}", not "${expected}"`);
  const calls = 2_000;
  let best = Infinity;
  for (let round = 0; round < 200; round += 1) {
    const before = process.cpuUsage();
    for (let each = 0; each < calls; each += 1) run.decide(decided);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / calls);
  }
  console.log(`${what}: ${best.toFixed(2)} µs`);
}

const toRead = { ...call, tool: read, input: {}, args: {} };
const covering = [{ tool: "note", args: { ...Object.fromEntries(names.map((name) => [name, { composed: true }])), argument0: { eq: args.argument0 }, argument1: { eq: args.argument1 } }, from: [{ tool: "read" }] }];
measure("read, R1", await begin([]), toRead, "allow");
measure("writer, ten arguments, clean context", await begin([], { clean: true }), call, "allow");
measure("writer, ten arguments, one grant", await begin(grants.slice(-1)), call, "allow");
measure("writer, ten arguments, covered by the last of eight grants", await begin(grants), call, "allow");
measure("writer, eight of ten arguments composed content", await begin(covering), { ...call, tool: note }, "allow");
measure("writer, ten arguments, asked with its explanation", await begin([]), call, "ask");
