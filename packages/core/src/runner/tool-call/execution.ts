import type { InterruptionData } from "../../contracts/interruption.ts";
import type { JsonSchema, JsonValue } from "../../contracts/json.ts";
import type { TextFilter } from "../../contracts/ports/text-filter.ts";
import type { Schema } from "../../contracts/schema.ts";
import { BailiwickError } from "../../errors/bailiwick-error.ts";
import { bareQuestion } from "../../journal/bare-question.ts";
import { isStandardSchema, toJsonSchema } from "../../tools/standard-schema.ts";
import { makeInterruption } from "./approval-binding.ts";
import { isUnattended, toolOf, type PipelineCall } from "./call.ts";
import type { ResolvedTool } from "../../contracts/resolved-tool.ts";
import type { ErrorData } from "../../contracts/error-data.ts";
import type { TelemetrySpan, ToolSpanEnd } from "../../contracts/ports/telemetry.ts";
import { askGivenSchema } from "../hooks/hooks-runner.ts";
import { guardedSpan, ownerOf, spanContent } from "../hooks/guarded-span.ts";
import { failureOfThrown } from "./failure.ts";

/** Duration or end of a `ctx.sleep`. */
export type Nap = ({ readonly ms: number } | { readonly wakeAt: number }) & { readonly key?: string | undefined };

/** Reason why an attempt ended before its tool did: later, the tool starts again from its top. */
export type Pause =
  | { readonly question: InterruptionData }
  | { readonly sleep: { readonly key: string; readonly wakeAt: number } };

/**
 * One attempt of a tool's `execute`, as its context sees it. Calls after its end are ignored. A class, because there
 * is one per call: unused parts must cost nothing.
 */
export class Execution {
  readonly attempt: number;
  /** True if the function of the tool has read its key, or has passed its run on to an inner agent. */
  keyIsRead: boolean = false;
  /** True if a fake of the run answered in place of the tool. */
  faked: boolean = false;
  /** The attempt's span. */
  readonly span: ToolSpan | undefined;
  readonly #call: PipelineCall;
  #controller: AbortController | undefined;
  #aborted: { readonly reason: unknown } | undefined;
  #ended = false;
  #text: string | undefined;
  #filter: TextFilter | undefined;
  #questions = 0;
  #sleeps = 0;
  #pause: Pause | undefined;
  #onPaused: (() => void) | undefined;

  constructor(call: PipelineCall, attempt: number) {
    this.#call = call;
    this.attempt = attempt;
    this.span = startToolSpan(call, attempt);
  }

  /** The reason why the attempt ended before its tool did; the tool's first question or sleep counts. */
  get pause(): Pause | undefined {
    return this.#pause;
  }

  /** Calls back when the tool asks a person or sleeps, at once if it has: the attempt ends there. */
  whenPaused(listener: () => void): void {
    if (this.#pause === undefined) this.#onPaused = listener;
    else listener();
  }

  /** Aborted by the time-out, by the end of the run, or by a question. Created on first use. */
  signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted !== undefined) this.#controller.abort(this.#aborted.reason);
    }
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#aborted ??= { reason };
    this.#controller?.abort(reason);
  }

  streamContent(piece: string): void {
    demandStreaming(this.#call, "streamContent");
    if (this.#ended) return;
    this.#text = (this.#text ?? "") + piece;
    this.#filter ??= this.#call.run.agent.secrets?.textScrubber();
    this.#show(this.#filter === undefined ? piece : this.#filter.push(piece));
  }

  reportProgress(progress: { readonly message?: string; readonly fraction?: number; readonly data?: JsonValue }): void {
    const { run, toolCallId, toolName } = this.#call;
    demandStreaming(this.#call, "reportProgress");
    if (this.#ended || !run.sink.wants("tool.progress")) return;
    const shown = this.#displayed(run.agent.secrets?.scrub(progress) ?? progress);
    run.sink.show({ type: "tool.progress", toolCallId, toolName, ...shown });
  }

  ask<T>(question: { readonly question: string; readonly schema: Schema<T>; readonly key?: string }): Promise<T> {
    checkQuestion(this.#call, question);
    const key = question.key ?? `q${(this.#questions += 1)}`;
    const { answers } = this.#call.state;
    const { run } = this.#call;
    const isAnswered = answers !== undefined && Object.hasOwn(answers, key);
    if (!isAnswered && isUnattended(run)) {
      const rest = `asked a person with ctx.ask, and this run is unattended (flow.unattended: "fail"). The run ends unless the tool handles this error. Use flow.unattended: "pend" to let the run wait for the answer.`;
      return Promise.reject(misused(this.#call, "UNATTENDED", rest));
    }
    const wait = (complaint?: string): Promise<never> =>
      this.#wait(() => ({ question: questionFor(this.#call, question, key, complaint) }));
    return isAnswered ? answered(this.#call, question.schema, answers[key], wait) : wait();
  }

  /** Suspends the call until the client has run it. */
  askClient(question: InterruptionData): void {
    this.#pause ??= { question };
  }

  sleep(nap: Nap): Promise<void> {
    const wakeAt = wakeTime(this.#call, nap);
    const key = nap.key ?? `s${(this.#sleeps += 1)}`;
    if (this.#call.state.slept?.has(key) === true) return Promise.resolve();
    return this.#wait(() => ({ sleep: { key, wakeAt } }));
  }

  /** The streamed text; `undefined` if there was none. */
  streamed(): string | undefined {
    return this.#text;
  }

  /** Ends it: later calls of its context do nothing. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#filter !== undefined) this.#show(this.#filter.end());
  }

  /** Text that a person sees during the execution: without control and hidden characters, at any cut. */
  #displayed<T>(value: T): T {
    const { tool, run } = this.#call;
    const { sanitizer } = run.agent;
    return sanitizer === undefined || tool?.inboundSanitization === "pass-through" ? value : sanitizer.display(value);
  }

  #show(piece: string): void {
    const { run, toolCallId, toolName } = this.#call;
    if (piece === "" || !run.sink.wants("tool.partial")) return;
    const text = this.#displayed(piece);
    if (text !== "") run.sink.show({ type: "tool.partial", toolCallId, toolName, text });
  }

  /** The attempt has ended: the tool starts again from its top when the answer has arrived. */
  #wait(pause: () => Pause): Promise<never> {
    if (!this.#ended) {
      const made = pause();
      this.#pause ??= made;
      this.#onPaused?.();
    }
    return new Promise(() => {});
  }
}

/** Programs without types pass other values. */
type Untyped = Readonly<Record<string, unknown>>;

function checkQuestion(call: PipelineCall, given: object): void {
  const { question, schema } = Object(given) as Untyped;
  if (typeof question === "string" && isStandardSchema(schema)) return;
  const what = "question: pass { question, schema }, a text and the schema of its answer";
  throw misused(call, "INVALID_OPTION", `called ctx.ask without a ${what}.`);
}

function wakeTime(call: PipelineCall, nap: Nap): number {
  const { ms, wakeAt = call.run.clock.now() + (ms as number) } = Object(nap) as Untyped;
  if (Number.isFinite(wakeAt) && (wakeAt as number) >= 0) return wakeAt as number;
  const what = "time: pass { ms } or { wakeAt }, a number of milliseconds";
  throw misused(call, "INVALID_SLEEP", `called ctx.sleep without a ${what}.`);
}

function demandStreaming(call: PipelineCall, what: string): void {
  if (toolOf(call).__streamingHint) return;
  throw misused(
    call,
    "NOT_A_STREAMING_TOOL",
    `used ctx.${what} without streamingHint: true. Add it to the tool's agent.`,
  );
}

/** The error of a tool that used its context in a way that this call does not allow. */
function misused({ toolName, run }: PipelineCall, code: string, rest: string): BailiwickError {
  return new BailiwickError(code, `Tool "${toolName}" ${rest}`, { runId: run.runId });
}

function questionFor(
  call: PipelineCall,
  question: { readonly question: string; readonly schema: Schema; readonly key?: string },
  key: string,
  complaint: string | undefined,
): InterruptionData {
  return makeInterruption(call, {
    kind: "question",
    question: bareQuestion(
      complaint === undefined
        ? question.question
        : `${question.question} (The answer given before cannot be used: ${complaint})`,
      `"${call.toolName}" asks for an answer that only a person can give.`,
      call.toolCallId,
    ),
    args: call.args,
    answerKey: key,
    answerJsonSchema: jsonSchemaOf(question.schema),
  });
}

/** Schema of the form that a person fills in; absent for libraries without Standard JSON Schema. */
function jsonSchemaOf(schema: Schema): JsonSchema | undefined {
  try {
    return toJsonSchema(schema, "input", "The schema of a question");
  } catch {
    return undefined;
  }
}

/** An invalid answer leaves the question open: the person is asked again, with the problem. */
async function answered<T>(
  { run, toolName }: PipelineCall,
  schema: Schema<T>,
  value: unknown,
  askAgain: (complaint: string) => Promise<never>,
): Promise<T> {
  const result = await askGivenSchema(run, `ctx.ask of ${toolName}`, schema, value);
  if (result.ok) return result.value;
  return askAgain(result.issues.map((issue) => issue.message).join("; "));
}

export type Attempt =
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "timeout" | "aborted" };

const defaultTimeoutMs = 60_000;
/** Defaults of a sandbox without settings. */
const sandboxTimeoutMs = 30_000;

/**
 * Time limit of one attempt of a tool, in milliseconds: the tool's own, else the agent's, else 60,000; never longer
 * than its sandbox's. With `0` only the run's limit applies.
 */
export function effectiveTimeoutMs(call: PipelineCall, tool: ResolvedTool = toolOf(call)): number {
  const own = tool.timeoutMs ?? call.run.settings.toolTimeoutMs ?? defaultTimeoutMs;
  if (tool.sandboxPolicy === "none") return own;
  const timeout = tool.sandboxConfig.timeout ?? sandboxTimeoutMs;
  return own === 0 ? timeout : Math.min(own, timeout);
}

interface ToolSpan extends Pick<TelemetrySpan<ToolSpanEnd>, "within"> {
  /** @param waiting - True if it asked a person or sleeps. */
  end(result: Attempt, waiting: boolean): void;
}

function startToolSpan(call: PipelineCall, attempt: number): ToolSpan | undefined {
  const { run, toolName, toolCallId } = call;
  const { telemetry } = run.agent.options;
  if (telemetry === undefined) return undefined;
  const { inputs, outputs } = telemetry;
  const { description, __sideEffectClass } = toolOf(call);
  const span = guardedSpan(run, () =>
    telemetry.startToolCall({
      ...ownerOf(run),
      toolName,
      toolCallId,
      description,
      sideEffectClass: __sideEffectClass,
      attempt,
      arguments: inputs ? spanContent(run, call.input) : undefined,
    }),
  );
  return (
    span && {
      within: span.within,
      end(result, waiting) {
        span.end({
          waiting,
          error: waiting ? undefined : errorOf(call, result),
          ...(outputs && !waiting && result.kind === "returned" && { output: spanContent(run, result.value) }),
        });
      },
    }
  );
}

function errorOf(call: PipelineCall, result: Attempt): ErrorData | undefined {
  switch (result.kind) {
    case "returned":
      return undefined;
    case "threw": {
      const { kind, message } = failureOfThrown(call.toolName, result.error);
      return spanContent(call.run, { name: "ToolError", code: kind, message });
    }
    case "timeout":
      return { name: "ToolError", code: "timeout", message: `"${call.toolName}" took too long.` };
    case "aborted":
      return { name: "ToolError", code: "aborted", message: `"${call.toolName}" was stopped.` };
  }
}
