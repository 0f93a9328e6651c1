/**
 * OpenTelemetry spans and metrics of agents.
 *
 * @module
 */
export { otel } from "./otel.ts";
export { queueMetrics } from "./queue-metrics.ts";
export type { QueueMetricsOptions } from "./queue-metrics.ts";
export type { OtelOptions } from "./otel.ts";
