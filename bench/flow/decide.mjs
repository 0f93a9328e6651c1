/**
 * What one decision of the information-flow policy costs: a writer with ten labelled arguments, after untrusted and
 * private results were read, under eight grants. Prints microseconds a decision; the budget is 5. Seen on two shared
 * cores under load: a read 0.5, covered by the last of eight grants 14.4, asked with its explanation 13.9; the budget is
 * not met for writers there. An allowed call builds no explanation beyond a fixed sentence.
 *
 * Usage: node --conditions=@bailiwick/source bench/flow/decide.mjs (from a checkout), or after a build without the condition.
 */
import { resolveTool, defaultHasher, tool } from "../../packages/core/src/index.ts";
import { flowPolicy } from "../../packages/security/src/index.ts";

const names = Array.from({ length: 10 }, (_, index) => `argument${index}`);
const resolve = (given) => resolveTool(given, undefined, { ports: { hasher: defaultHasher() } });
const schema = { type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])) };
const write = resolve(tool({ name: "write", description: "Writes.", inputSchema: schema, sideEffectClass: "external-stateful", idempotencyKey: "call", execute: () => "ok" }));
const read = resolve(tool({ name: "read", description: "Reads.", inputSchema: { type: "object" }, sideEffectClass: "read-only", execute: () => "text" }));
const args = Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
const fixed = Object.fromEntries(names.map((name) => [name, { eq: `value of ${name}` }]));

/** A run that has read something untrusted and private. */
function begin(grants) {
  const policy = flowPolicy();
  let seq = 0;
  const record = (event) => {
    const labels = run.labelFor(event);
    run.observe({ ...event, ...labels, seq: (seq += 1), at: 0, key: String(seq), runId: "r" });
  };
  const run = policy.begin({
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
  record(answer(1, "read", "c1"));
  const call = { turn: 1, index: 0, toolCallId: "c1", toolName: "read" };
  record({ type: "tool.outcome", ...call, attempt: 1, output: "text", durationMs: 0 });
  record({ type: "tool.result", ...call, message: { id: "t1", role: "tool", toolCallId: "c1", toolName: "read", content: "text" }, result: { toolCallId: "c1", toolName: "read", input: {}, isError: false, durationMs: 0 } });
  record(answer(2, "write", "c2"));
  return run;
}

const tools = [write, read];
const call = { turn: 2, index: 0, toolCallId: "c2", tool: write, input: args, args };
const other = Object.fromEntries(names.map((name) => [name, { eq: "another value" }]));
const grants = [...Array.from({ length: 7 }, () => ({ tool: "write", args: other })), { tool: "write", args: fixed, from: [{ tool: "read" }] }];

function measure(what, run, decided) {
  const rounds = 100_000;
  for (let round = 0; round < rounds / 4; round += 1) run.decide(decided);
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) run.decide(decided);
  const { user, system } = process.cpuUsage(before);
  console.log(`${what}: ${((user + system) / rounds).toFixed(2)} µs`);
}

measure("read, R1", begin([]), { ...call, tool: read, input: {}, args: {} });
measure("writer, ten arguments, covered by the last of eight grants", begin(grants), call);
measure("writer, ten arguments, asked with its explanation", begin([]), call);
