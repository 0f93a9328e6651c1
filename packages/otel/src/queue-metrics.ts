import { checkKnownNames, ConfigurationError, checkArgument } from "@bailiwick/core";
import type { RunStore } from "@bailiwick/core";
import { metrics as globalMetrics } from "@opentelemetry/api";
import type { BatchObservableResult, MeterProvider } from "@opentelemetry/api";

/** Options of {@link queueMetrics}. */
export interface QueueMetricsOptions {
  /** The measured store. Measure it in one process: each would report the same runs. */
  readonly store: RunStore;
  /** Receives the measurements; default the provider that is registered with the OpenTelemetry API. */
  readonly meterProvider?: MeterProvider | undefined;
}

/**
 * Measures the queue of a store whenever metrics are collected: `bailiwick.queue.runs`, the runs of each agent by state
 * (`queued`, `delayed`, `running`, `stuck`), and `bailiwick.queue.age`, the seconds since the oldest queued run of each agent
 * was queued. While the store cannot be read, nothing is measured, and an SDK may repeat the last values.
 *
 * @param options - The store, and the provider of metrics.
 * @returns a function that ends it.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 *
 * @example
 * ```ts
 * import type { RunStore } from "@bailiwick/core";
 * import { queueMetrics } from "@bailiwick/otel";
 *
 * export const measure = (store: RunStore): (() => void) => queueMetrics({ store });
 * ```
 */
export function queueMetrics(options: QueueMetricsOptions): () => void {
  checkArgument(options, "object", "queueMetrics({ store })");
  checkKnownNames(options, ["store", "meterProvider"], "queueMetrics()");
  const { store, meterProvider = globalMetrics.getMeterProvider() } = options;
  if (typeof (store as Partial<RunStore> | undefined)?.queueDepth !== "function")
    throw new ConfigurationError(
      "INVALID_OPTION",
      `queueMetrics(): "store" must be a run store, such as sqliteStore().`,
    );
  if (typeof (meterProvider as Partial<MeterProvider>).getMeter !== "function")
    throw new ConfigurationError(
      "INVALID_OPTION",
      "queueMetrics(): meterProvider has no getMeter(). Give a provider of the OpenTelemetry SDK.",
    );
  const meter = meterProvider.getMeter("@bailiwick/otel");
  const runs = meter.createObservableGauge("bailiwick.queue.runs", {
    unit: "{run}",
    description: "Runs that wait for a worker, are driven, or are stuck.",
  });
  const age = meter.createObservableGauge("bailiwick.queue.age", {
    unit: "s",
    description: "Time since the oldest queued run was queued.",
  });
  /** Agents that were measured: an agent without runs reports zero, because an SDK would repeat its last values. */
  const measured = new Set<string>();
  async function observe(result: BatchObservableResult): Promise<void> {
    const depths = new Map((await store.queueDepth()).map((depth) => [depth.agentId, depth]));
    for (const agentId of depths.keys()) measured.add(agentId);
    for (const agentId of measured) {
      const depth = depths.get(agentId);
      const agent = { "gen_ai.agent.name": agentId };
      for (const state of ["queued", "delayed", "running", "stuck"] as const)
        result.observe(runs, depth?.[state] ?? 0, { ...agent, "bailiwick.queue.state": state });
      const since = depth?.oldestQueuedAt;
      result.observe(age, since === undefined ? 0 : Math.max(0, (Date.now() - since) / 1000), agent);
    }
  }
  const observables = [runs, age];
  meter.addBatchObservableCallback(observe, observables);
  return () => meter.removeBatchObservableCallback(observe, observables);
}
