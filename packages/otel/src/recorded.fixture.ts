import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";

/** Spans and metrics that the OpenTelemetry SDK records, in memory. */
export function recorded(): {
  readonly tracerProvider: TracerProvider;
  readonly meterProvider: MeterProvider;
  readonly spans: () => readonly ReadableSpan[];
  /** Names of a span and of those above it, from the root. */
  readonly pathOf: (span: ReadableSpan) => string;
  /** Points of an instrument: attributes, count and sum. */
  readonly points: (
    name: string,
  ) => Promise<readonly { readonly attributes: object; readonly count: number; readonly sum: number }[]>;
} {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 3_600_000 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const spans = (): readonly ReadableSpan[] => exporter.getFinishedSpans();
  const pathOf = (span: ReadableSpan): string => {
    const above = spans().find((other) => other.spanContext().spanId === span.parentSpanContext?.spanId);
    return above === undefined ? span.name : `${pathOf(above)} > ${span.name}`;
  };
  return {
    tracerProvider,
    meterProvider,
    spans,
    pathOf,
    async points(name) {
      await reader.forceFlush();
      const metrics =
        measured
          .getMetrics()
          .at(-1)
          ?.scopeMetrics.flatMap((one) => one.metrics) ?? [];
      const points = metrics.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? [];
      return points.map(({ attributes, value }) => {
        const { count, sum } = value as { readonly count: number; readonly sum?: number };
        return { attributes, count, sum: sum ?? 0 };
      });
    },
  };
}

/** Registers a context manager, as an application does; returns a function that removes it. */
export function withContextManager(): Disposable {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  return {
    [Symbol.dispose]() {
      context.disable();
      trace.disable();
    },
  };
}
