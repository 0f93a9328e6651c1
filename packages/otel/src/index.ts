/**
 * OpenTelemetry spans and metrics of agents.
 *
 * @module
 */
export { otel } from "./otel.ts";
export type { OtelOptions } from "./otel.ts";
