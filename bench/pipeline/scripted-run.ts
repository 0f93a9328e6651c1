/**
 * CPU of whole runs with a model that answers at once: what is ours of a turn, without a request.
 *
 *   pnpm exec node --conditions=@bailiwick/source bench/pipeline/scripted-run.ts calls|turns [runs] [warm]
 *
 * `calls`: one turn of 64 parallel calls; `turns`: 50 turns of one call.
 *
 * A busy machine changes the time, and not the number of instructions: the difference of two counts with different
 * numbers of runs, divided by the runs between them. The clock must not move, since runs yield by it:
 *
 *   setarch -R valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null --smc-check=all-non-file \
 *     node --single-threaded --predictable --random-seed=1 --hash-seed=1 --no-incremental-marking \
 *     --predictable-gc-schedule --no-memory-reducer --min-semi-space-size=16 --max-semi-space-size=16 \
 *     --no-flush-bytecode --import ./bench/pipeline/still-clock.mjs --conditions=@bailiwick/source \
 *     bench/pipeline/scripted-run.ts turns 140 0
 *
 * Half of these options fix when V8 collects garbage: it decides by the clock otherwise, and two counts of 100 runs then
 * differ by up to 7 %.
 *
 * Without optimizing compilers (`--no-opt --no-maglev --always-sparkplug`) the count is that of the code alone.
 */
import { Agent, tool } from "../../packages/agent/src/index.ts";
import type { ModelProvider, ModelRequest, ModelResponse } from "../../packages/core/src/index.ts";

const [shape = "calls", runs = "15", warm = "8"] = process.argv.slice(2);
const { turns, calls } = shape === "turns" ? { turns: 50, calls: 1 } : { turns: 1, calls: 64 };

function answer({ messages }: ModelRequest): ModelResponse {
  const turn = messages.filter(({ role }) => role === "assistant").length;
  const toolCalls = Array.from({ length: turn < turns ? calls : 0 }, (_, index) => ({
    id: `call_${turn}_${index}`,
    name: "add",
    arguments: `{"a":${index},"b":${turn}}`,
  }));
  const markers = toolCalls.map(({ id }) => ({ type: "tool_call" as const, toolCallId: id }));
  return {
    message: {
      role: "assistant",
      id: `m${turn}`,
      content: markers.length > 0 ? markers : [{ type: "text", text: "done" }],
      toolCalls,
      provider: "scripted",
      api: "chat",
      model: "scripted",
      timestamp: 0,
    },
    usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
    finishReason: markers.length > 0 ? "tool_calls" : "stop",
    warnings: [],
    raw: undefined,
  };
}

const model: ModelProvider = {
  provider: "scripted",
  api: "chat",
  modelId: "scripted",
  capabilities: {
    input: { image: false, audio: false, file: false },
    toolResultMedia: "none",
    toolCallId: {},
    toolName: { pattern: /^[a-z]+$/, maxLength: 64 },
    replaysReasoning: false,
    systemAnywhere: true,
    structuredOutput: "none",
  },
  generate: async (request) => answer(request),
  stream: () => {
    throw new Error("No code reads deltas here.");
  },
};

const add = tool({
  name: "add",
  description: "Adds two numbers.",
  inputSchema: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
    additionalProperties: false,
  },
  sideEffectClass: "pure",
  execute: async (input) => {
    const { a, b } = input as { readonly a: number; readonly b: number };
    return String(a + b);
  },
});

const agent = new Agent({
  name: "bench",
  model,
  instructions: "Use the tools, then answer.",
  tools: [add],
  maxTurns: turns + 1,
  toolConcurrency: calls,
  loopDetection: false,
});

const used: number[] = [];
for (let run = -Number(warm); run < Number(runs); run += 1) {
  const before = process.cpuUsage();
  const { text, toolCalls } = await agent.run("Go.");
  const { user, system } = process.cpuUsage(before);
  if (text !== "done" || toolCalls.length !== turns * calls) throw new Error(`The run made ${toolCalls.length} calls.`);
  if (run >= 0) used.push((user + system) / 1000 / turns);
}
used.sort((a, b) => a - b);
console.log(`${turns} turns of ${calls} calls: ${used[used.length >> 1]?.toFixed(3)} ms a turn, at best ${used[0]?.toFixed(3)} ms`);
