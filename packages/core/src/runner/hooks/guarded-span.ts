import type {
  SpanOwner,
  TelemetrySpan,
  TelemetryMoment,
  ModelSpanEnd,
  ModelSpanStart,
  RunSpanEnd,
} from "../../contracts/ports/telemetry.ts";
import { frozenCopy } from "../../user-code/copies.ts";
import { toError } from "../../user-code/call-user-code.ts";
import type { JournalEvent } from "../../contracts/journal-event.ts";
import type { RunInput } from "../../contracts/run-options.ts";
import type { RunOutput } from "../../contracts/run-output.ts";
import type { Run } from "../run.ts";
import { expected, tellCallback } from "./hook-failures.ts";
import type { ModelProvider, ModelRequest } from "../../contracts/model-provider.ts";
import type { ModelResponse } from "../../contracts/model-response.ts";
import { toErrorData } from "../../errors/error-text.ts";
import type { JournalSubscriber } from "../../journal/journal-writer.ts";

export const ownerOf = ({ runId, agent, context }: Run): SpanOwner => ({
  runId,
  agentName: agent.name,
  agentId: agent.definitionHash,
  sessionId: context.sessionId,
});

/** A value for telemetry: a frozen copy without known secrets; `undefined` for a cyclic value. */
export function spanContent<T>({ agent: { secrets } }: Run, value: T): T | undefined {
  try {
    return frozenCopy(secrets === undefined ? value : secrets.scrub(value));
  } catch {
    return undefined;
  }
}

/**
 * A span whose failures do not reach the run: they are reported, and the work is done once, whatever the span does with
 * it.
 *
 * @returns `undefined` if it could not be started.
 */
export function guardedSpan<End>(run: Run, open: () => TelemetrySpan<End>): TelemetrySpan<End> | undefined {
  const opened = quietly(run, open);
  const span = quietly(run, () =>
    expected("telemetry", "a span", opened == null || typeof opened.within === "function", opened),
  );
  if (span == null) return undefined;
  return {
    within<Result>(work: () => Result): Result {
      let begun = false;
      let result: Result | undefined;
      const once = (): Result => {
        if (!begun) {
          begun = true;
          result = work();
        }
        return result as Result;
      };
      try {
        const returned: unknown = span.within(once);
        // If the work rejects, the span has not failed.
        quietly(run, () => (returned === result ? undefined : returned));
      } catch (thrown) {
        // Errors of the work are passed on.
        if (begun && result === undefined) throw thrown;
        quietly(run, () => {
          throw thrown;
        });
      }
      return once();
    },
    end(end) {
      quietly(run, () => span.end(frozenCopy(end)));
    },
  };
}

/** Calls telemetry without awaiting it, and returns its answer; `undefined` if it failed. */
function quietly<T>(run: Run, call: () => T): T | undefined {
  let answer: T | undefined;
  tellCallback(run, "telemetry", () => (answer = call()));
  return answer;
}

/**
 * The subscriber that reports decisions, handoffs, compactions and memories of a run to telemetry; `undefined` if
 * telemetry does not want them.
 *
 * @param before - Records from before this process drove the run: an approval may have been asked for there.
 */
export function momentSubscriber(run: Run, before: readonly JournalEvent[]): JournalSubscriber | undefined {
  const { telemetry } = run.agent.options;
  if (telemetry?.noteMoment === undefined) return undefined;
  const askedAt = new Map<string, number>();
  const ask = (event: JournalEvent): void => {
    if (event.type === "tool.approval.requested") askedAt.set(`${event.turn}/${event.index}`, event.at);
  };
  for (const event of before) ask(event);
  const hear = (event: JournalEvent): void => {
    ask(event);
    const startedAt = "index" in event ? (askedAt.get(`${event.turn}/${event.index}`) ?? event.at) : event.at;
    const moment = momentOf(event, telemetry.outputs);
    if (moment === undefined) return;
    const timed = { ...moment, startedAt: moment.kind === "approval" ? startedAt : event.at, endedAt: event.at };
    quietly(run, () => telemetry.noteMoment?.({ ...ownerOf(run), ...(spanContent(run, timed) ?? timed) }));
  };
  return { name: "telemetry moments", types: "all", hear };
}

type Kept<Moment> = Moment extends unknown
  ? Omit<Moment, "runId" | "agentName" | "agentId" | "sessionId" | "startedAt" | "endedAt">
  : never;

function momentOf(event: JournalEvent, outputs: boolean): Kept<TelemetryMoment> | undefined {
  switch (event.type) {
    case "tool.approval.decided": {
      const { toolName, toolCallId, via } = event;
      const { type: decision, decidedBy } = event.decision;
      return { kind: "approval", toolName, toolCallId, decision, via, decidedBy };
    }
    case "tool.call": {
      const { toolName, toolCallId, allowedBy: rule } = event;
      if (rule === undefined) return undefined;
      return { kind: "policy", toolName, toolCallId, verdict: "allow", rule, shadow: false, explanation: undefined };
    }
    case "flow.decided": {
      const { toolName, toolCallId, verdict, rule, shadow = false } = event;
      const explanation = outputs ? event.explanation : undefined;
      return { kind: "policy", toolName, toolCallId, verdict, rule, shadow, explanation };
    }
    case "handoff.transfer":
      return { kind: "handoff", fromAgent: event.fromAgent, toAgent: event.toAgent };
    case "compaction":
      return { kind: "compaction", strategy: event.strategy, droppedMessages: event.droppedMessages };
    case "memory.recalled":
      return { kind: "memory", memoryIds: event.memories.map(({ id }) => id) };
    default:
      return undefined;
  }
}

export interface ModelSpan extends Pick<TelemetrySpan<ModelSpanEnd>, "within"> {
  /** @param timeToFirstTokenMs - Of a streamed answer, in milliseconds. */
  end(response: ModelResponse | undefined, error?: Error, timeToFirstTokenMs?: number): void;
}

/** A span for a model call; `undefined` without telemetry. */
export function startModelSpan(
  run: Run,
  model: ModelProvider,
  request: ModelRequest,
  purpose: ModelSpanStart["purpose"],
): ModelSpan | undefined {
  const { telemetry } = run.agent.options;
  if (telemetry === undefined) return undefined;
  const { inputs, outputs } = telemetry;
  const span = guardedSpan(run, () =>
    telemetry.startModelCall({
      ...ownerOf(run),
      modelProvider: model.provider,
      model: model.modelId,
      purpose,
      structured: request.output !== undefined,
      maxTokens: request.maxTokens,
      temperature: request.temperature,
      topP: request.topP,
      stopSequences: request.stopSequences,
      messages: inputs ? spanContent(run, request.messages) : undefined,
      tools: inputs ? spanContent(run, request.tools) : undefined,
    }),
  );
  return (
    span && {
      within: span.within,
      end(response, error, timeToFirstTokenMs) {
        span.end({
          error: error && spanContent(run, toErrorData(error)),
          usage: response?.usage,
          finishReason: response?.finishReason,
          responseId: response?.responseId,
          responseModel: response?.responseModel,
          timeToFirstTokenMs,
          message: outputs && response !== undefined ? spanContent(run, response.message) : undefined,
        });
      },
    }
  );
}

interface RunOutcome {
  readonly output: RunOutput;
  readonly error?: Error | undefined;
}

/**
 * Drives a run inside a span of the agent's telemetry.
 *
 * @param input - Input of a new run; `undefined` for a resumed one.
 */
export async function inRunSpan<Outcome extends RunOutcome>(
  run: Run,
  input: RunInput | undefined,
  drive: () => Promise<Outcome>,
): Promise<Outcome> {
  const span = startRunSpan(run, input);
  if (span === undefined) return drive();
  try {
    const outcome = await span.within(drive);
    span.end(endOf(run, outcome));
    return outcome;
  } catch (thrown) {
    span.end({ error: spanContent(run, toErrorData(toError(thrown))) });
    throw thrown;
  }
}

function startRunSpan(run: Run, input: RunInput | undefined): TelemetrySpan<RunSpanEnd> | undefined {
  const { telemetry, description } = run.agent.options;
  if (telemetry === undefined) return undefined;
  const { provider, modelId } = run.agent.model;
  const { userId, tenantId } = run.context;
  return guardedSpan(run, () =>
    telemetry.startRun({
      ...ownerOf(run),
      agentDescription: description,
      userId,
      tenantId,
      modelProvider: provider,
      model: modelId,
      resumed: input === undefined,
      input: telemetry.inputs ? spanContent(run, input) : undefined,
    }),
  );
}

function endOf(run: Run, { output, error }: RunOutcome): RunSpanEnd {
  const { status, stopReason, usage, costUsd, text } = output;
  return {
    status,
    stopReason,
    usage,
    costUsd,
    error: error === undefined ? undefined : spanContent(run, toErrorData(error)),
    text: run.agent.options.telemetry?.outputs === true ? spanContent(run, text) : undefined,
  };
}
