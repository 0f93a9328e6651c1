import type { InterruptionData } from "../../contracts/interruption.ts";
import type { JsonSchema, JsonValue } from "../../contracts/json.ts";
import type { TextFilter } from "../../contracts/ports/security.ts";
import type { Schema } from "../../contracts/schema.ts";
import { BailiwickError } from "../../errors/bailiwick-error.ts";
import { makeInterruption } from "./approval-binding.ts";
import { stateOf, toolOf } from "./call.ts";
import type { PipelineCall } from "./call.ts";

/** How long `ctx.sleep` sleeps, or until when. */
export type Nap = ({ readonly ms: number } | { readonly wakeAt: number }) & { readonly key?: string | undefined };

/** Why an attempt ended before its tool did: it goes on from its top when what it waits for is there. */
export type Pause =
  | { readonly question: InterruptionData }
  | { readonly sleep: { readonly key: string; readonly wakeAt: number } };

/** One attempt of a tool's `execute`, as its context sees it. What comes after its end is ignored. */
export interface Execution {
  readonly attempt: number;
  /** Aborted by the time-out, by the end of the run, or by a question. Made when it is first asked for. */
  signal(): AbortSignal;
  abort(reason: unknown): void;
  streamContent(text: string): void;
  reportProgress(progress: { readonly message?: string; readonly fraction?: number; readonly data?: JsonValue }): void;
  ask<T>(question: { readonly question: string; readonly schema: Schema<T>; readonly key?: string }): Promise<T>;
  sleep(nap: Nap): Promise<void>;
  /** What was streamed; `undefined` when nothing was. */
  streamed(): string | undefined;
  /** Ends it: late calls of its context do nothing. */
  end(): void;
}

/**
 * Begins an attempt.
 *
 * @param onPause - Called when the tool asks a person or sleeps; the attempt ends there.
 */
export function beginExecution(call: PipelineCall, attempt: number, onPause: (pause: Pause) => void): Execution {
  let controller: AbortController | undefined;
  let aborted: { readonly reason: unknown } | undefined;
  let ended = false;
  let text: string | undefined;
  let filter: TextFilter | undefined;
  let questions = 0;
  let sleeps = 0;

  const show = (piece: string): void => {
    const { events } = call.run;
    if (piece === "" || !events.wants("tool.partial")) return;
    events.show({ type: "tool.partial", toolCallId: call.toolCallId, toolName: call.toolName, text: piece });
  };

  return {
    attempt,
    signal() {
      if (controller === undefined) {
        controller = new AbortController();
        if (aborted !== undefined) controller.abort(aborted.reason);
      }
      return controller.signal;
    },
    abort(reason) {
      aborted ??= { reason };
      controller?.abort(reason);
    },
    streamContent(piece) {
      demandStreaming(call, "streamContent");
      if (ended) return;
      text = (text ?? "") + piece;
      filter ??= call.run.definition.secrets?.textScrubber();
      show(filter === undefined ? piece : filter.push(piece));
    },
    reportProgress(progress) {
      demandStreaming(call, "reportProgress");
      const { events, definition } = call.run;
      if (ended || !events.wants("tool.progress")) return;
      const shown = definition.secrets?.scrub(progress) ?? progress;
      events.show({ type: "tool.progress", toolCallId: call.toolCallId, toolName: call.toolName, ...shown });
    },
    ask(question) {
      const key = question.key ?? `q${(questions += 1)}`;
      const { answers } = stateOf(call);
      const wait = (complaint?: string): Promise<never> => {
        if (!ended) onPause({ question: questionFor(call, question, key, complaint) });
        // The attempt is over: it starts again from its top when there is an answer.
        return new Promise(() => {});
      };
      return answers !== undefined && Object.hasOwn(answers, key)
        ? answered(question.schema, answers[key], wait)
        : wait();
    },
    sleep(nap) {
      const wakeAt = wakeTime(call, nap);
      const key = nap.key ?? `s${(sleeps += 1)}`;
      if (stateOf(call).slept?.has(key) === true) return Promise.resolve();
      if (!ended) onPause({ sleep: { key, wakeAt } });
      return new Promise(() => {});
    },
    streamed: () => text,
    end() {
      if (ended) return;
      ended = true;
      if (filter !== undefined) show(filter.end());
    },
  };
}

function wakeTime(call: PipelineCall, nap: Nap): number {
  const wakeAt = "wakeAt" in nap ? nap.wakeAt : call.run.clock.now() + nap.ms;
  if (Number.isFinite(wakeAt) && wakeAt >= 0) return wakeAt;
  throw new BailiwickError(
    "INVALID_SLEEP",
    `Tool "${call.toolName}" called ctx.sleep with no time: give { ms } or { wakeAt }, a number of milliseconds.`,
    {
      runId: call.run.runId,
    },
  );
}

function demandStreaming(call: PipelineCall, what: string): void {
  if (toolOf(call).__streamingHint) return;
  throw new BailiwickError(
    "NOT_A_STREAMING_TOOL",
    `Tool "${call.toolName}" used ctx.${what} without streamingHint: true. Add it to the tool's definition.`,
    { runId: call.run.runId },
  );
}

function questionFor(
  call: PipelineCall,
  question: { readonly question: string; readonly schema: Schema; readonly key?: string },
  key: string,
  complaint: string | undefined,
): InterruptionData {
  return makeInterruption(call, {
    kind: "input",
    reason:
      complaint === undefined
        ? question.question
        : `${question.question} (The answer given before cannot be used: ${complaint})`,
    args: call.args,
    inputKey: key,
    inputJsonSchema: jsonSchemaOf(question.schema),
  });
}

/** For the form that a person fills in; libraries without Standard JSON Schema give none. */
function jsonSchemaOf(schema: Schema): JsonSchema | undefined {
  const standard = schema["~standard"] as {
    readonly jsonSchema?: { input?(options: { readonly target: string }): JsonSchema };
  };
  try {
    return standard.jsonSchema?.input?.({ target: "draft-2020-12" });
  } catch {
    return undefined;
  }
}

/** An answer that does not match leaves the question open: it is asked again, saying what was wrong. */
async function answered<T>(
  schema: Schema<T>,
  value: unknown,
  askAgain: (complaint: string) => Promise<never>,
): Promise<T> {
  const result = await schema["~standard"].validate(value);
  if (result.issues === undefined) return result.value;
  return askAgain(result.issues.map((issue) => issue.message).join("; "));
}
