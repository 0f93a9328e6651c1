import { checkKnownNames } from "@bailiwick/core";
import { EventType, PROTOCOL_VERSION } from "@ag-ui/core";
import type { AGUIEvent, Message, RunFinishedOutcome, TokenUsage } from "@ag-ui/core";
import type { ErrorData, InterruptionData, RunEvent } from "@bailiwick/core";
import { uiEncoder } from "../ui-stream/ui-encoder.ts";
import type { RunMetadata, UiChunk } from "../ui-stream/ui-chunk.ts";
import { toInterrupt } from "./interrupts.ts";
import { asText, openMessages } from "./open-messages.ts";
import { shownMessages } from "./shown-messages.ts";

/** Options of `agUiEncoder`. */
export interface AgUiEncoderOptions {
  /** The run whose events are encoded. */
  readonly runId: string;
  /** The client's names, and the messages that it shows so far. */
  readonly client: { readonly threadId: string; readonly runId: string; readonly messages: readonly Message[] };
  /** Last record that the client has; default 0. */
  readonly afterSeq?: number | undefined;
  /**
   * Returns the text that clients get about a failed run; default: only its code, because messages may name internals.
   */
  readonly errorText?: ((error: ErrorData) => string) | undefined;
  /** `true` shows the messages of failed tool calls. Default `false`: clients see the kind of the failure. */
  readonly exposeErrors?: boolean | undefined;
  /** Keys of the session's state that the client sees, with their values now. Default: none. */
  readonly state?: { readonly keys: readonly string[]; readonly values: Readonly<Record<string, unknown>> } | undefined;
  /** Sent as `warning` events: ignored parts of the request. */
  readonly warnings?: readonly string[] | undefined;
}

/** Converts the events of one run to those of the AG-UI protocol. */
export interface AgUiEncoder {
  /**
   * Processes the next event; journal events in order of `seq`.
   *
   * @param event - The next event of the run.
   */
  push(event: RunEvent): readonly AGUIEvent[];
  /** Returns the events that close the stream: the run's end, or its open questions. */
  end(): readonly AGUIEvent[];
}

/**
 * Creates the encoder of a run for AG-UI clients. Open questions end the AG-UI run with an interrupt; the answers
 * start another AG-UI run, which continues here.
 *
 * @param options - The run, the client, and the text of errors.
 * @param secondIds - Ids of suspicious questions that this client is asked once more.
 * @see https://docs.ag-ui.com
 * @example
 * ```ts
 * import type { JournalEvent } from "@bailiwick/core";
 * import { agUiEncoder } from "@bailiwick/server";
 *
 * export function replay(runId: string, journal: readonly JournalEvent[]): string[] {
 *   const encoder = agUiEncoder({ runId, client: { threadId: "chat-1", runId: "1", messages: [] } });
 *   return [...journal.flatMap((event) => encoder.push(event)), ...encoder.end()].map(({ type }) => type);
 * }
 * ```
 */
export function agUiEncoder(options: AgUiEncoderOptions, secondIds: ReadonlySet<string> = new Set()): AgUiEncoder {
  checkKnownNames(
    options ?? null,
    ["runId", "client", "afterSeq", "errorText", "exposeErrors", "state", "warnings"],
    "agUiEncoder()",
  );
  const { runId, client, afterSeq = 0 } = options;
  const inner = uiEncoder({ runId, errorText: options.errorText, exposeErrors: options.exposeErrors });
  const shown = shownMessages(client.messages);
  const questions = new Map<string, InterruptionData>();
  let waitsFor: readonly string[] = [];
  let events: AGUIEvent[] = [];
  let muted = afterSeq > 0;
  let begun = false;
  let step = 0;
  let stepIsOpen = false;
  let result: unknown;
  let told: RunMetadata | undefined;
  let state = options.state?.values;
  const clientTools = new Set<string>();
  /** Calls of client tools that the client must not run: they are shown with their outcome. */
  const held = new Map<string, Extract<UiChunk, { type: "tool-input-available" }>>();
  const hasResult = (toolCallId: string): boolean =>
    client.messages.some((message) => message.role === "tool" && message.toolCallId === toolCallId);

  const write = (event: AGUIEvent): void => {
    if (muted) return;
    events.push(event);
    shown.take(event);
  };
  const idOf = (part: string): string => `${runId}/${part}`;
  const open = openMessages(
    write,
    () => idOf(`turn ${step}`),
    (toolCallId) => idOf(`result ${toolCallId}`),
  );
  const custom = (name: string, value: unknown): void => write({ type: EventType.CUSTOM, name, value });

  const begin = (): void => {
    if (begun || muted) return;
    begun = true;
    const { threadId, runId: clientRunId } = client;
    const { RUN_STARTED: type } = EventType;
    write({ type, threadId, runId: clientRunId, protocolVersion: PROTOCOL_VERSION, metadata: { runId } });
    if (state !== undefined) write({ type: EventType.STATE_SNAPSHOT, snapshot: state });
    for (const message of options.warnings ?? []) custom("warning", { message });
  };
  const startStep = (): void => {
    closeStep();
    step += 1;
    stepIsOpen = true;
    shown.mark();
    write({ type: EventType.STEP_STARTED, stepName: `turn ${step}` });
  };
  const closeStep = (): void => {
    open.endAll();
    if (stepIsOpen) write({ type: EventType.STEP_FINISHED, stepName: `turn ${step}` });
    stepIsOpen = false;
  };
  const takeBack = (): void => {
    open.endAll();
    if (!muted) write({ type: EventType.MESSAGES_SNAPSHOT, messages: [...shown.withoutMarked()] });
  };
  const userMessage = ({ id: messageId, parts }: Extract<UiChunk, { type: "steering-message" }>): void => {
    const delta = parts.map(({ text }) => text).join("\n");
    write({ type: EventType.TEXT_MESSAGE_START, messageId, role: "user" });
    write({ type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta });
    write({ type: EventType.TEXT_MESSAGE_END, messageId });
  };

  const used = (): { readonly usage?: TokenUsage[] } => {
    // The usage before a suspension was already reported.
    if (told?.usage === undefined || afterSeq > 0) return {};
    const { inputTokens, outputTokens, totalTokens } = told.usage;
    return { usage: [{ inputTokens, outputTokens, totalTokens }] };
  };
  const finish = (outcome: RunFinishedOutcome): void => {
    closeStep();
    const { threadId, runId: clientRunId } = client;
    const type = EventType.RUN_FINISHED;
    const made = outcome.type === "success" && result !== undefined ? { result } : {};
    write({ type, threadId, runId: clientRunId, metadata: { runId }, outcome, ...made, ...used() });
  };
  const outcomeOf = (): RunFinishedOutcome => {
    const asked = told?.status === "suspended" ? waitsFor.flatMap((id) => questions.get(id) ?? []) : [];
    const interrupts = asked
      .filter(({ kind }) => kind !== "client_tool")
      .map((one) => toInterrupt(one, secondIds.has(one.id)));
    // Clients find open calls of the page by themselves; those before 1.0 refuse a list of them.
    return interrupts.length > 0 ? { type: "interrupt", interrupts } : { type: "success" };
  };

  const showHeld = (toolCallId: string): void => {
    const chunk = held.get(toolCallId);
    if (held.delete(toolCallId) && chunk !== undefined) open.wholeCall(chunk);
  };
  const endCall = (toolCallId: string, content: string): void => {
    showHeld(toolCallId);
    // The client has the result that it returned.
    if (!hasResult(toolCallId)) open.result(toolCallId, content);
  };

  const take = (chunk: UiChunk): void => {
    switch (chunk.type) {
      case "start":
        return begin();
      case "start-step":
        return startStep();
      case "finish-step":
        return closeStep();
      case "reset-step":
        return takeBack();
      case "text-start":
        return open.text(idOf(chunk.id));
      case "text-delta":
        return write({ type: EventType.TEXT_MESSAGE_CONTENT, messageId: idOf(chunk.id), delta: chunk.delta });
      case "text-end":
        return open.endText(idOf(chunk.id));
      case "reasoning-start":
        return open.reasoning(idOf(chunk.id));
      case "reasoning-delta":
        return write({ type: EventType.REASONING_MESSAGE_CONTENT, messageId: idOf(chunk.id), delta: chunk.delta });
      case "reasoning-end":
        return open.endReasoning(idOf(chunk.id));
      case "tool-input-start":
        return open.call(chunk.toolCallId, chunk.toolName);
      case "tool-input-delta":
        return open.callDelta(chunk.toolCallId, chunk.inputTextDelta);
      case "tool-input-available":
        if (chunk.providerExecuted === true && clientTools.has(chunk.toolName)) {
          held.set(chunk.toolCallId, chunk);
          return;
        }
        held.delete(chunk.toolCallId);
        return open.wholeCall(chunk);
      case "tool-output-available": {
        const { toolCallId, output, preliminary } = chunk;
        return preliminary === true
          ? custom("tool-output", { toolCallId, output })
          : endCall(toolCallId, asText(output));
      }
      case "tool-output-error":
        return endCall(chunk.toolCallId, chunk.errorText);
      case "tool-output-denied":
        return endCall(chunk.toolCallId, "A person refused this call.");
      case "steering-message":
        return userMessage(chunk);
      case "data-structured":
        result = chunk.data;
        return;
      case "message-metadata":
        told = chunk.messageMetadata;
        return;
      case "finish":
        return finish(outcomeOf());
      case "abort":
        return finish({ type: "cancelled" });
      case "error":
        closeStep();
        return write({ type: EventType.RUN_ERROR, message: chunk.errorText, ...used() });
      case "source-url":
      case "source-document":
      case "file": {
        const { type, ...value } = chunk;
        return custom(type, value);
      }
      case "data-handoff":
      case "data-structured-partial":
      case "data-tool-progress":
      case "data-agent":
        return custom(chunk.type.slice("data-".length), chunk.data);
      // Questions close the stream, as interrupts; later events show the answers.
      case "tool-approval-request":
      case "tool-approval-response":
      case "data-interruption":
        return;
    }
  };

  /** Questions are taken from the records, which have more details than the chunks. */
  const watch = (event: RunEvent): void => {
    if (event.type === "tool.approval.requested" || event.type === "input.requested")
      questions.set(event.interruption.id, event.interruption);
    else if (event.type === "child.suspended")
      for (const question of event.interruptions) questions.set(question.id, question);
    else if (event.type === "run.suspended") waitsFor = event.interruptionIds;
    else if (event.type === "model.intent") for (const name of event.clientTools ?? []) clientTools.add(name);
    else if (event.type === "state.changed" && options.state?.keys.includes(event.stateKey) === true) {
      state = { ...state, [event.stateKey]: event.value };
      write({ type: EventType.STATE_SNAPSHOT, snapshot: state });
    }
  };
  const drain = (): readonly AGUIEvent[] => {
    const taken = events;
    events = [];
    return taken;
  };

  return {
    push(event) {
      const chunks = inner.push(event);
      if (muted && "seq" in event && event.seq > afterSeq) {
        // The step belongs to the previous AG-UI run.
        stepIsOpen = false;
        muted = false;
        begin();
      }
      watch(event);
      for (const chunk of chunks) take(chunk);
      return drain();
    },
    end() {
      if (muted) {
        // The client's answer did not count: nothing follows it, and the question is asked once more.
        stepIsOpen = false;
        muted = false;
        begin();
      }
      for (const chunk of inner.end()) take(chunk);
      return drain();
    },
  };
}
