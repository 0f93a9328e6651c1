import type { Attributes, Meter } from "@opentelemetry/api";
import type { TokenUsage } from "@bailiwick/core";

/** The metrics; durations are in seconds. */
export interface Metrics {
  /** A model call. */
  model(seconds: number, attributes: Attributes, usage: TokenUsage | undefined, firstTokenMs: number | undefined): void;
  /** An execution of a tool. */
  tool(seconds: number, attributes: Attributes): void;
  /** A run in this process. */
  run(seconds: number, attributes: Attributes): void;
}

const doubling = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => Number((first * 2 ** index).toFixed(3)));
const operationSeconds = doubling(0.01, 14);
const runSeconds = doubling(0.1, 13);
const tokens = Array.from({ length: 14 }, (_, index) => 4 ** index);
const firstChunkSeconds = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/**
 * The instruments that the conventions for generative AI name.
 *
 * @param meter - Makes them.
 */
export function createMetrics(meter: Meter): Metrics {
  const seconds = (name: string, description: string, explicitBucketBoundaries: number[]) =>
    meter.createHistogram(name, { unit: "s", description, advice: { explicitBucketBoundaries } });
  const model = seconds("gen_ai.client.operation.duration", "Time that a model call takes.", operationSeconds);
  const firstChunk = seconds(
    "gen_ai.client.operation.time_to_first_chunk",
    "Time until a streamed answer begins.",
    firstChunkSeconds,
  );
  const tool = seconds("gen_ai.execute_tool.duration", "Time that a tool takes.", operationSeconds);
  const run = seconds("gen_ai.invoke_agent.duration", "Time that an agent takes.", runSeconds);
  const usage = meter.createHistogram("gen_ai.client.token.usage", {
    unit: "{token}",
    description: "Tokens of a model call.",
    advice: { explicitBucketBoundaries: tokens },
  });
  return {
    model(duration, attributes, used, firstTokenMs) {
      model.record(duration, attributes);
      if (firstTokenMs !== undefined) firstChunk.record(firstTokenMs / 1000, attributes);
      if (used === undefined) return;
      usage.record(used.inputTokens, { ...attributes, "gen_ai.token.type": "input" });
      usage.record(used.outputTokens, { ...attributes, "gen_ai.token.type": "output" });
    },
    tool: (duration, attributes) => tool.record(duration, attributes),
    run: (duration, attributes) => run.record(duration, attributes),
  };
}
