import { checkKnownNames } from "@bailiwick/core";
import type { AssistantMessage, ErrorData, JournalEventOf, RunEvent } from "@bailiwick/core";
import { createCallWriter } from "./call-writer.ts";
import { closingChunks } from "./closing-chunks.ts";
import { nestedActivity } from "./nested-activity.ts";
import { filePart, stepParts, type StepPart } from "./step-parts.ts";
import { createStepWriter, type StepWriter } from "./step-writer.ts";
import { toolErrorText } from "./tool-error-text.ts";
import type { UiChunk, UsageView } from "./ui-chunk.ts";

/** Options of `uiEncoder`. */
export interface UiEncoderOptions {
  /** Becomes the message's id, so that a client that reconnects finds the same message. */
  readonly runId: string;
  /**
   * Returns the text that clients get about a failed run; default: only its code, because messages may name internals.
   */
  readonly errorText?: ((error: ErrorData) => string) | undefined;
  /** `true` shows the messages of failed tool calls. Default `false`: clients see the kind of the failure. */
  readonly exposeErrors?: boolean | undefined;
  /**
   * Tells if a client tool's question was answered before: a replay then shows its call without making the client run
   * it again. Default: none was.
   */
  readonly isAnswered?: ((interruptionId: string) => boolean) | undefined;
}

/** Converts the events of one run to chunks of a UI message stream. */
export interface UiEncoder {
  /**
   * Processes the next event; journal events in order of `seq`.
   *
   * @param event - The next event of the run.
   */
  push(event: RunEvent): readonly UiChunk[];
  /** Returns the chunks that close the stream: the end of the run, or none if it continues without this client. */
  end(): readonly UiChunk[];
}

/** An encoder that can ask a question once more. */
export interface PageEncoder extends UiEncoder {
  /** The chunks that ask the open ones of the suspicious questions once more. */
  askAgain(ids: ReadonlySet<string>): readonly UiChunk[];
}

/**
 * Creates the encoder of a run. It is pure: a client builds the same message from the run's live events and from its
 * journal alone. The streamed pieces and the journal are compared at the end of each answer; if they differ (a retry,
 * a guardrail's replacement), the step is written again.
 *
 * @param options - The run, and the text of errors.
 * @param secondIds - Ids of suspicious questions that the page knows by the id of their second asking.
 * @example
 * ```ts
 * import type { JournalEvent } from "@bailiwick/core";
 * import { uiEncoder, type UiChunk } from "@bailiwick/server";
 *
 * export function replay(runId: string, journal: readonly JournalEvent[]): UiChunk[] {
 *   const encoder = uiEncoder({ runId });
 *   return [...journal.flatMap((event) => encoder.push(event)), ...encoder.end()];
 * }
 * ```
 */
export function uiEncoder(options: UiEncoderOptions, secondIds: ReadonlySet<string> = new Set()): PageEncoder {
  checkKnownNames(options ?? null, ["runId", "errorText", "exposeErrors", "isAnswered"], "uiEncoder()");
  const { runId } = options;
  const errorText = options.errorText ?? ((error: ErrorData) => `The run failed (${error.code}).`);
  let chunks: UiChunk[] = [];
  const write = (chunk: UiChunk): void => void chunks.push(chunk);
  const toolError = toolErrorText(options.exposeErrors ?? false);
  const calls = createCallWriter({ write, toolError, isAnswered: options.isAnswered ?? (() => false), secondIds });
  /** Tools whose calls are only shown once the client may run them. */
  const clientTools = new Set<string>();
  let begun = false;
  let agentName: string | undefined;
  let step: StepWriter | undefined;
  /** An answer without calls: its shown text is known when the run continues or ends. */
  let answer: readonly StepPart[] | undefined;
  /** True after a handoff: then the run's answer is the next agent's, in its own run. */
  let isHandedOver = false;
  let lastFinish: AssistantMessage["finishReason"] | undefined;
  let ended: JournalEventOf<"run.end"> | undefined;
  let usage: UsageView = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
  let costUsd: number | undefined = 0;

  const begin = (event: RunEvent): void => {
    if (begun) return;
    begun = true;
    if (event.type === "run.start") agentName = event.agentName;
    write({
      type: "start",
      messageId: runId,
      messageMetadata: { runId, ...(agentName !== undefined && { agentName }) },
    });
  };
  const settle = (parts: readonly StepPart[]): void => {
    const isHeld = (part: StepPart): boolean => part.kind === "tool" && clientTools.has(part.toolName);
    step?.settle(parts.filter((part) => !isHeld(part)));
    for (const part of parts) if (part.kind === "tool") calls.shown(part, isHeld(part));
  };
  const settleAnswer = (): void => {
    if (answer === undefined) return;
    settle(answer);
    answer = undefined;
  };
  const dropAnswer = (): void => {
    if (answer === undefined) return;
    settle([]);
    answer = undefined;
  };

  const openStep = (turn: number): void => {
    if (step !== undefined) write({ type: "finish-step" });
    step = createStepWriter(turn, write, toolError);
    write({ type: "start-step" });
  };

  const onIntent = (event: JournalEventOf<"model.intent">): void => {
    if (event.purpose !== undefined && event.purpose !== "turn") return;
    for (const name of event.clientTools ?? []) clientTools.add(name);
    settleAnswer();
    if (step?.turn === event.turn && !step.isSettled) {
      step.reset();
      return;
    }
    openStep(event.turn);
  };

  const onResult = (event: JournalEventOf<"model.result">): void => {
    usage = {
      inputTokens: usage.inputTokens + event.usage.inputTokens,
      outputTokens: usage.outputTokens + event.usage.outputTokens,
      totalTokens: usage.totalTokens + event.usage.totalTokens,
    };
    costUsd = event.costUsd === undefined || costUsd === undefined ? undefined : costUsd + event.costUsd;
    if (event.purpose !== undefined && event.purpose !== "turn") return;
    const { message } = event;
    lastFinish = message.finishReason;
    message.toolCalls.forEach(({ id, name }, index) => calls.place(`${event.turn}/${index}`, id, name));
    const parts = stepParts(message);
    answer = event.shownText === undefined ? parts : withText(parts, event.shownText);
    if (message.toolCalls.length > 0) settleAnswer();
  };

  const onInserted = ({ by, message }: JournalEventOf<"message.inserted">): void => {
    if (by === "repair") dropAnswer();
    else settleAnswer();
    if (message.role !== "user" || (by !== "steer" && by !== "follow_up" && by !== "input")) return;
    const content =
      typeof message.content === "string" ? [{ type: "text" as const, text: message.content }] : message.content;
    const parts = content.flatMap((part) => (part.type === "text" ? [{ type: "text" as const, text: part.text }] : []));
    if (parts.length > 0) write({ type: "steering-message", id: message.id, parts });
  };

  const onEnd = (event: JournalEventOf<"run.end">): void => {
    ended = event;
    if (event.stopReason === "guardrail_blocked") dropAnswer();
    else if (answer !== undefined) {
      settle(finalParts(answer, event));
      answer = undefined;
    } else if (isHandedOver && isAnswer(event) && event.text !== "") {
      openStep((step?.turn ?? 0) + 1);
      settle([{ kind: "text", text: event.text }]);
    }
    if (event.structured !== undefined) write({ type: "data-structured", id: "structured", data: event.structured });
  };

  const onLive = (event: RunEvent): void => {
    if (step === undefined || step.isSettled) return;
    switch (event.type) {
      case "text":
        step.text("text", event.text);
        return;
      case "thinking":
        step.text("reasoning", event.text);
        return;
      case "tool_call_start":
        if (!clientTools.has(event.toolCall.name)) step.callStart(event.toolCall.id, event.toolCall.name);
        return;
      case "tool_call_delta":
        step.callDelta(event.toolCallId, event.argumentsDelta);
        return;
      case "source":
        step.part({ kind: "source", source: event.source });
        return;
      case "file": {
        const part = filePart(event.file);
        if (part?.kind === "file") step.part(part);
        return;
      }
      case "guardrail.retracted":
      case "turn.restarted":
        step.reset();
        return;
      default:
    }
  };

  const take = (event: RunEvent): void => {
    const nested = nestedActivity(event);
    if (nested !== undefined) {
      if (nested !== null) write({ type: "data-agent", data: nested, transient: true });
      return;
    }
    switch (event.type) {
      case "model.intent":
        return onIntent(event);
      case "model.result":
        return onResult(event);
      case "message.inserted":
        return onInserted(event);
      case "run.end":
        return onEnd(event);
      case "run.resumed":
        ended = undefined;
        return;
      case "handoff.transfer":
        settleAnswer();
        isHandedOver = true;
        return write({
          type: "data-handoff",
          id: event.key,
          data: { fromAgent: event.fromAgent, toAgent: event.toAgent },
        });
      case "structured.delta":
        return write({ type: "data-structured-partial", data: event.partial ?? null, transient: true });
      default:
        if (!calls.take(event)) onLive(event);
    }
  };

  const drain = (): readonly UiChunk[] => {
    const taken = chunks;
    chunks = [];
    return taken;
  };

  return {
    push(event): readonly UiChunk[] {
      begin(event);
      take(event);
      return drain();
    },
    askAgain(ids): readonly UiChunk[] {
      calls.askAgain(ids);
      return drain();
    },
    end(): readonly UiChunk[] {
      if (ended !== undefined) {
        const metadata = {
          runId,
          agentName,
          status: ended.status,
          stopReason: ended.stopReason,
          usage,
          ...(costUsd !== undefined && { costUsd }),
        };
        if (step !== undefined) write({ type: "finish-step" });
        for (const chunk of closingChunks(ended, lastFinish, metadata, errorText, calls.isAnsweredInChat)) write(chunk);
      }
      return drain();
    },
  };
}

/** The parts of the last answer, with the final text: a filter or guardrail may have changed it. */
function finalParts(parts: readonly StepPart[], end: JournalEventOf<"run.end">): readonly StepPart[] {
  return isAnswer(end) ? withText(parts, end.text) : parts;
}

function isAnswer({ stopReason }: JournalEventOf<"run.end">): boolean {
  return stopReason === "completed" || stopReason === "truncated";
}

/** Parts with another text, at the place of the first text. */
function withText(parts: readonly StepPart[], text: string): readonly StepPart[] {
  const said = parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
  if (said === text) return parts;
  const at = parts.findIndex(({ kind }) => kind === "text");
  const others = parts.filter(({ kind }) => kind !== "text");
  if (text === "") return others;
  return others.toSpliced(at < 0 ? others.length : at, 0, { kind: "text", text });
}
