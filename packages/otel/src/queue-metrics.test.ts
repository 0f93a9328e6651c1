import { memoryStore, type RunStore } from "@bailiwick/core";
import {
  DataPointType,
  InMemoryMetricExporter,
  AggregationTemporality,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { expect, test } from "vitest";
import { queueMetrics } from "./index.ts";

/** Collects once, and returns values by metric, agent and state. */
async function collected(reader: PeriodicExportingMetricReader): Promise<Readonly<Record<string, number>>> {
  const { resourceMetrics } = await reader.collect();
  const values: Record<string, number> = {};
  for (const { descriptor, dataPoints, dataPointType } of resourceMetrics.scopeMetrics.flatMap(
    ({ metrics }) => metrics,
  )) {
    expect(dataPointType).toBe(DataPointType.GAUGE);
    for (const { attributes, value } of dataPoints)
      values[
        [descriptor.name, attributes["gen_ai.agent.name"], attributes["bailiwick.queue.state"]]
          .filter(Boolean)
          .join(" ")
      ] = value as number;
  }
  return values;
}

test("OpenTelemetry's SDK collects depth and age of the queue by agent and state [worker.metrics]", async () => {
  const now = Date.now() - 60_000;
  const memory = memoryStore({ clock: { now: () => now, setTimer: () => () => undefined } });
  let onAsked = (): void => undefined;
  const store: RunStore = {
    ...memory,
    queueDepth: async () => {
      onAsked();
      return memory.queueDepth();
    },
  };
  for (const id of ["a", "b", "c"])
    await store.create({ id, agentId: id === "c" ? "other" : "clerk", definitionHash: "d", sessionId: id, input: "" });
  await store.acquire("c", "w", 600_000);
  const reader = new PeriodicExportingMetricReader({
    exporter: new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE),
    exportIntervalMillis: 3_600_000,
  });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const end = queueMetrics({ store, meterProvider });
  const values = await collected(reader);
  expect(values).toMatchObject({
    "bailiwick.queue.runs clerk queued": 2,
    "bailiwick.queue.runs clerk running": 0,
    "bailiwick.queue.runs other queued": 0,
    "bailiwick.queue.runs other running": 1,
    "bailiwick.queue.runs other stuck": 0,
    "bailiwick.queue.age other": 0,
  });
  expect(values["bailiwick.queue.age clerk"]).toBeGreaterThanOrEqual(60);
  for (const id of ["a", "b"]) await store.deleteRun(id);
  expect(await collected(reader)).toMatchObject({
    "bailiwick.queue.runs clerk queued": 0,
    "bailiwick.queue.age clerk": 0,
    "bailiwick.queue.runs other running": 1,
  });
  let asked = 0;
  onAsked = () => void (asked += 1);
  end();
  await collected(reader);
  expect(asked).toBe(0);
  await meterProvider.shutdown();
  expect(() => queueMetrics({ store: {} as RunStore })).toThrow("store");
});
