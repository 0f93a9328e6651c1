import type { GuardrailResult, OutputGuardrail } from "../../contracts/guardrail.ts";
import type { JournalEvent, JournalEventOf } from "../../contracts/journal-event.ts";
import type { AssistantMessage } from "../../contracts/message.ts";
import type { ModelResponse } from "../../contracts/model-response.ts";
import type { RunContext } from "../../contracts/run-context.ts";
import type { TextFilter } from "../../contracts/ports/security.ts";
import type { RunSink } from "../../events/run-sink.ts";

/** What of an answer is shown: all of it, or this text in its place. */
type Shown = "all" | { readonly text: string };

/** How far behind the end of the text a checked window is released, in characters. */
export const windowBehind = 200;

/** Lets an answer's streamed text through, or holds it until somebody has decided about it. */
export interface AnswerGate {
  /** Whether text is shown only after a verdict. */
  readonly holds: boolean;
  /** Whether windows of the text are checked as it streams. */
  readonly windowed: boolean;
  /**
   * Takes a piece of streamed text.
   *
   * @returns a promise while a window is being checked; it rejects with nothing and sets `blocked` instead.
   */
  push(text: string): Promise<void> | undefined;
  /** Shows all that is held: the text was not the answer, or it passed. */
  release(): void;
  /** Shows this text in place of what is held; of a text that goes on from what was shown, the rest. */
  replace(text: string): void;
  /** Forgets what is held. */
  drop(): void;
  /** The model call ended; its `finish` is shown after the text, and says no more than was shown: `shownText` where that is not all. */
  finish(response: ModelResponse, shownText?: string): void;
  /** Shows a record; while an answer is held, it and what follows it wait for the verdict. */
  record(event: JournalEvent): void;
  /** Set when a window was blocked. */
  readonly blocked: { readonly name: string; readonly verdict: GuardrailResult } | undefined;
  /** Whether a text goes on from what was shown of the current model call. */
  continues(text: string): boolean;
  /** Whether any text of the current model call was shown. */
  readonly shown: boolean;
  /** Starts the next model call. */
  begin(): void;
}

/** What a gate is made of. */
export interface AnswerGateOptions {
  readonly sink: RunSink;
  readonly guardrails: readonly OutputGuardrail[];
  readonly mode: "hold" | "after";
  /** Scrubs and filters text in pieces; made anew for each model call. */
  readonly filter: (() => TextFilter) | undefined;
  readonly context: () => RunContext;
  readonly check: (guardrail: OutputGuardrail, window: string) => Promise<GuardrailResult<string>>;
}

/**
 * Makes a run's gate. Without an output guardrail, and in `after` mode, text passes at once; when every output
 * guardrail checks windows, text is released 200 characters behind; otherwise all of it waits for the verdict.
 */
export function createAnswerGate(options: AnswerGateOptions): AnswerGate {
  const { sink, guardrails, mode } = options;
  const holds = guardrails.length > 0 && mode === "hold";
  const windowed = holds && guardrails.every((guardrail) => guardrail.validateChunk !== undefined);
  // Made with the first model call: what it filters by is not known before.
  let filter: TextFilter | undefined;
  let held = "";
  let released = "";
  let shown = false;
  /** What was shown of an answer whose windows are checked. */
  let passed = "";
  let blocked: AnswerGate["blocked"];
  let ended: ModelResponse | undefined;
  /** Records that wait: the held answer's, and those after it. */
  let records: JournalEvent[] = [];

  /** What was held of the journal, its answer with the text that may be seen. The journal itself keeps what the model said. */
  const showRecords = (content: Shown): void => {
    const waiting = records;
    records = [];
    for (const event of waiting)
      sink.show(content === "all" || !isAnswer(event) ? event : withShownText(event, content.text));
  };
  const showFinish = (content: Shown): void => {
    const response = ended;
    ended = undefined;
    if (response === undefined || !sink.wants("finish")) return;
    // The vendor's own answer holds the text too.
    const shown =
      content === "all" ? response : { ...response, message: withText(response.message, content.text), raw: undefined };
    sink.show({ type: "finish", finishReason: response.finishReason, usage: response.usage, response: shown });
  };
  const flush = (): void => {
    show(held + (filter?.end() ?? ""));
    filter = undefined;
    held = "";
  };
  const show = (text: string): void => {
    if (text === "" || !sink.wants("text")) return;
    shown = true;
    sink.show({ type: "text", text });
  };
  const checkWindow = async (): Promise<void> => {
    // The text that was just released is context for what straddles the border.
    const context = released.slice(-windowBehind);
    for (const guardrail of guardrails) {
      const verdict = await options.check(guardrail, context + held);
      if (!verdict.pass) {
        blocked ??= { name: guardrail.name, verdict };
        return;
      }
      if (verdict.replace !== undefined) {
        held = verdict.replace.startsWith(context) ? verdict.replace.slice(context.length) : verdict.replace;
      }
    }
    const free = Math.max(0, held.length - windowBehind);
    show(held.slice(0, free));
    passed += held.slice(0, free);
    released = (released + held.slice(0, free)).slice(-windowBehind);
    held = held.slice(free);
  };

  return {
    holds,
    windowed,
    get blocked() {
      return blocked;
    },
    get shown() {
      return shown;
    },
    begin(): void {
      filter = options.filter?.();
      held = "";
      released = "";
      shown = false;
      passed = "";
      blocked = undefined;
    },
    continues: (text) => holds && text.startsWith(passed),
    push(text: string): Promise<void> | undefined {
      const safe = filter === undefined ? text : filter.push(text);
      if (safe === "") return undefined;
      if (!holds) {
        show(safe);
        return undefined;
      }
      held += safe;
      return windowed && blocked === undefined && held.length > 2 * windowBehind ? checkWindow() : undefined;
    },
    record(event: JournalEvent): void {
      if (records.length > 0 || (holds && isAnswer(event))) records.push(event);
      else sink.show(event);
    },
    release(): void {
      flush();
      showFinish("all");
      showRecords("all");
    },
    replace(text: string): void {
      held = "";
      filter = undefined;
      show(text.startsWith(passed) ? text.slice(passed.length) : text);
      showFinish({ text });
      showRecords({ text });
    },
    drop(): void {
      held = "";
      filter = undefined;
      showFinish({ text: "" });
      showRecords({ text: "" });
    },
    finish(given: ModelResponse, shownText?: string): void {
      const response =
        shownText === undefined ? given : { ...given, message: withText(given.message, shownText), raw: undefined };
      ended = response;
      if (holds) return;
      flush();
      showFinish("all");
    },
  };
}

function isAnswer(event: JournalEvent): event is JournalEventOf<"model.result"> {
  return event.type === "model.result" && (event.purpose === undefined || event.purpose === "turn");
}

function withShownText(event: JournalEventOf<"model.result">, text: string): JournalEvent {
  return { ...event, message: withText(event.message, text), shownText: text };
}

/** A message whose text is another one, or none. */
function withText(message: AssistantMessage, text: string): AssistantMessage {
  const others = message.content.filter(({ type }) => type !== "text");
  return { ...message, content: text === "" ? others : [...others, { type: "text", text }] };
}
