import { ConfigurationError, checkKnownNames } from "@bailiwick/core";
import type { ErrorData, RunSpanEnd, Telemetry, TelemetrySpan } from "@bailiwick/core";
import { SpanKind, SpanStatusCode, context, metrics as globalMetrics, trace } from "@opentelemetry/api";
import type { Attributes, Context, MeterProvider, Span, TracerProvider } from "@opentelemetry/api";
import { callAttributes, modelAttributes, runAttributes, toolAttributes, usageAttributes } from "./attributes.ts";
import { asText, outputMessages, textAnswer } from "./content.ts";
import { createMetrics } from "./metrics.ts";
import { momentSpan } from "./moments.ts";

const scope = "@bailiwick/otel";

/** Options of {@link otel}. */
export interface OtelOptions {
  /** Provider for spans; default the provider that is registered with the OpenTelemetry API. */
  readonly tracerProvider?: TracerProvider | undefined;
  /** Provider for metrics; default the provider that is registered with the OpenTelemetry API. */
  readonly meterProvider?: MeterProvider | undefined;
  /**
   * Records inputs: input, instructions, messages, tool definitions, arguments. Default `false`. The journal's seal
   * does not protect recorded content; values of known secrets are removed first.
   */
  readonly inputs?: boolean | undefined;
  /** Records outputs: answers, results, texts of errors and of policy decisions. Default `false`. */
  readonly outputs?: boolean | undefined;
  /** Records the ids of user and tenant on runs, and the deciding person on approvals. Default `false`. */
  readonly identities?: boolean | undefined;
}

const optionNames: { readonly [Name in keyof OtelOptions]-?: true } = {
  tracerProvider: true,
  meterProvider: true,
  inputs: true,
  outputs: true,
  identities: true,
};

/**
 * Spans and metrics of an agent, after the OpenTelemetry conventions for generative AI: `invoke_agent` around each run,
 * `chat` around each model call, `execute_tool` around each tool; and `approval`, `policy`, `handoff`, `compact` and
 * `search_memory` inside a run. Spans that a tool creates, including those of inner agents, are children of its span,
 * if a context manager is registered.
 *
 * @param options - The providers, and what is recorded.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 *
 * @example
 * ```ts
 * import { Agent } from "@bailiwick/agent";
 * import type { ModelProvider } from "@bailiwick/agent";
 * import { otel } from "@bailiwick/otel";
 *
 * export const desk = (model: ModelProvider): Agent => new Agent({ name: "desk", model, telemetry: otel() });
 * ```
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/
 */
export function otel(options: OtelOptions = {}): Telemetry {
  checkOptions(options);
  const { inputs = false, outputs = false, identities = false } = options;
  const tracer = (options.tracerProvider ?? trace.getTracerProvider()).getTracer(scope);
  const metrics = createMetrics((options.meterProvider ?? globalMetrics.getMeterProvider()).getMeter(scope));
  /** Makes a run's calls its children even without a registered context manager. */
  const runs = new Map<string, Context>();

  function open<End>(
    parent: Context,
    name: string,
    kind: SpanKind,
    attributes: Attributes,
    finish: (end: End, span: Span, seconds: number) => void,
  ): TelemetrySpan<End> & { readonly inside: Context } {
    const startedAt = performance.now();
    const span = tracer.startSpan(name, { kind, attributes }, parent);
    const inside = trace.setSpan(parent, span);
    return {
      inside,
      within: (work) => context.with(inside, work),
      end(end) {
        finish(end, span, (performance.now() - startedAt) / 1000);
        span.end();
      },
    };
  }

  /** The kind of the error; its text only with `outputs`, because it may quote content. */
  function fail(span: Span, { code, message }: ErrorData): { readonly "error.type": string } {
    span.setStatus({ code: SpanStatusCode.ERROR, ...(outputs && { message }) });
    span.setAttribute("error.type", code);
    return { "error.type": code };
  }

  return {
    inputs,
    outputs,
    startRun(start) {
      const measured = { "gen_ai.agent.name": start.agentName, ...modelAttributes("invoke_agent", start) };
      const attributes = { ...measured, ...runAttributes(start, identities) };
      const { inside, ...span } = open<RunSpanEnd>(
        context.active(),
        `invoke_agent ${start.agentName}`,
        SpanKind.INTERNAL,
        attributes,
        (end, opened, seconds) => {
          runs.delete(start.runId);
          opened.setAttributes({
            ...(end.usage !== undefined && usageAttributes(end.usage)),
            ...(end.status !== undefined && { "bailiwick.run.status": end.status }),
            ...(end.stopReason !== undefined && { "bailiwick.run.stop_reason": end.stopReason }),
            ...(end.costUsd !== undefined && { "bailiwick.cost.usd": end.costUsd }),
            ...(end.text !== undefined && { "gen_ai.output.messages": textAnswer(end.text) }),
          });
          metrics.run(seconds, { ...measured, ...(end.error && fail(opened, end.error)) });
        },
      );
      runs.set(start.runId, inside);
      return span;
    },
    startModelCall(start) {
      const measured = modelAttributes("chat", start);
      return open(
        runs.get(start.runId) ?? context.active(),
        `chat ${start.model}`,
        SpanKind.CLIENT,
        { ...measured, ...callAttributes(start) },
        (end, span, seconds) => {
          const { usage, finishReason, responseId, responseModel, timeToFirstTokenMs, message, error } = end;
          span.setAttributes({
            ...(usage !== undefined && usageAttributes(usage)),
            ...(finishReason !== undefined && { "gen_ai.response.finish_reasons": [finishReason] }),
            ...(responseId !== undefined && { "gen_ai.response.id": responseId }),
            ...(responseModel !== undefined && { "gen_ai.response.model": responseModel }),
            ...(timeToFirstTokenMs !== undefined && {
              "gen_ai.response.time_to_first_chunk": timeToFirstTokenMs / 1000,
            }),
            ...(message !== undefined && { "gen_ai.output.messages": outputMessages(message) }),
          });
          const answered = responseModel === undefined ? {} : { "gen_ai.response.model": responseModel };
          metrics.model(
            seconds,
            { ...measured, ...answered, ...(error && fail(span, error)) },
            usage,
            timeToFirstTokenMs,
          );
        },
      );
    },
    startToolCall(start) {
      const measured = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": start.toolName };
      return open(
        runs.get(start.runId) ?? context.active(),
        `execute_tool ${start.toolName}`,
        SpanKind.INTERNAL,
        { ...measured, ...toolAttributes(start) },
        (end, span, seconds) => {
          if (end.waiting) span.setAttribute("bailiwick.tool.waiting", true);
          if (end.output !== undefined) span.setAttribute("gen_ai.tool.call.result", asText(end.output));
          metrics.tool(seconds, {
            ...measured,
            "gen_ai.agent.name": start.agentName,
            ...(end.error && fail(span, end.error)),
          });
        },
      );
    },
    noteMoment(moment) {
      const { name, attributes } = momentSpan(moment, identities);
      const parent = runs.get(moment.runId) ?? context.active();
      tracer
        .startSpan(name, { kind: SpanKind.INTERNAL, attributes, startTime: new Date(moment.startedAt) }, parent)
        .end(new Date(moment.endedAt));
    },
  };
}

function checkOptions(options: OtelOptions): void {
  checkKnownNames(options, Object.keys(optionNames), "otel()");
  for (const name of ["inputs", "outputs", "identities"] as const) {
    const value: unknown = options[name];
    if (value !== undefined && typeof value !== "boolean")
      throw new ConfigurationError("INVALID_OPTION", `otel(): ${name} must be true or false.`);
  }
  for (const [name, method] of [
    ["tracerProvider", "getTracer"],
    ["meterProvider", "getMeter"],
  ] as const) {
    const value = options[name] as Record<string, unknown> | undefined;
    if (value !== undefined && typeof value[method] !== "function")
      throw new ConfigurationError(
        "INVALID_OPTION",
        `otel(): ${name} has no ${method}(). Give a provider of the OpenTelemetry SDK.`,
      );
  }
}
