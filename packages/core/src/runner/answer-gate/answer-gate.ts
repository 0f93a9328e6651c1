import type { GuardrailResult, OutputGuardrail } from "../../contracts/guardrail.ts";
import type { JournalEvent, JournalEventOf } from "../../contracts/journal-event.ts";
import type { JournalSubscriber } from "../../journal/journal-writer.ts";
import type { AssistantMessage } from "../../contracts/message.ts";
import type { ModelResponse } from "../../contracts/model-response.ts";
import type { TextFilter } from "../../contracts/ports/text-filter.ts";
import type { RunSink } from "../../events/event-bus.ts";

/** The shown part of an answer: all of it, or this text instead. */
type Shown = "all" | { readonly text: string };

const none: readonly JournalEvent[] = [];

/** Number of characters by which the release of checked text lags behind. */
const windowBehind = 200;

export interface AnswerGateOptions {
  readonly sink: RunSink;
  readonly guardrails: readonly OutputGuardrail[];
  readonly mode: "hold" | "after";
  /** Scrubs and filters text in pieces; created for each model call. */
  readonly filter: (() => TextFilter) | undefined;
  readonly check: (guardrail: OutputGuardrail, window: string) => Promise<GuardrailResult<string>>;
}

/**
 * Lets an answer's streamed text through, or holds it until a check has decided. Without an output guardrail, and in
 * `after` mode, text passes at once; if every output guardrail checks windows, text is released with a delay of 200
 * characters; otherwise all of it waits for the verdict.
 */
export class AnswerGate implements JournalSubscriber {
  readonly name = "answer gate";
  readonly types = "all";
  /** True if text is only shown after a verdict. */
  readonly holds: boolean;
  /** True if the text is checked in windows during the stream. */
  readonly windowed: boolean;
  /** Set when a window was blocked. */
  blocked: { readonly name: string; readonly verdict: GuardrailResult } | undefined = undefined;
  /** True if any text of the current model call was shown. */
  shown = false;
  readonly #options: AnswerGateOptions;
  /** Created for the first piece of an answer's text: many answers have none, and the filter is not known earlier. */
  #filter: TextFilter | undefined;
  readonly #held: HeldText = new HeldText();
  /** True if the last text was commentary, and so the text that the filter still holds. */
  #commentary = false;
  #released = "";
  /** Shown text of an answer that is checked in windows. */
  #passed = "";
  #ended: ModelResponse | undefined;
  /** Waiting records: the held answer's, and later ones. */
  #records: readonly JournalEvent[] = none;

  constructor(options: AnswerGateOptions) {
    const { guardrails, mode } = options;
    this.#options = options;
    this.holds = guardrails.length > 0 && mode === "hold";
    this.windowed = this.holds && guardrails.every((guardrail) => guardrail.validateChunk !== undefined);
  }

  /** Starts the next model call. */
  begin(): void {
    this.#filter = undefined;
    this.#held.takeAll();
    this.#released = "";
    this.shown = false;
    this.#passed = "";
    this.blocked = undefined;
  }

  /** True if a text continues the shown text of the current model call. */
  continues(text: string): boolean {
    return this.holds && text.startsWith(this.#passed);
  }

  /**
   * Adds a piece of streamed text.
   *
   * @param commentary - True for text before the final answer.
   * @returns a promise while a window is being checked; it sets `blocked`.
   */
  push(text: string, commentary = false): Promise<void> | undefined {
    this.#commentary = commentary;
    this.#filter ??= this.#options.filter?.();
    const safe = this.#filter === undefined ? text : this.#filter.push(text);
    if (safe === "") return undefined;
    if (!this.holds) {
      this.#show(safe, commentary);
      return undefined;
    }
    this.#held.add(safe, commentary);
    return this.windowed && this.blocked === undefined && this.#held.length > 2 * windowBehind
      ? this.#checkWindow()
      : undefined;
  }

  /** Shows a record; while an answer is held, its record and later ones wait for the verdict. */
  hear(event: JournalEvent): void {
    if (this.#records.length > 0 || (this.holds && isAnswer(event))) this.#records = [...this.#records, event];
    else this.#options.sink.show(event);
  }

  /** Shows all held text: it was not the answer, or it passed. */
  release(): void {
    this.#flush();
    this.#showRest("all");
  }

  /** Shows this text in place of the held one; if it continues the shown text, only the rest. */
  replace(text: string): void {
    this.#held.takeAll();
    this.#filter = undefined;
    this.#show(text.startsWith(this.#passed) ? text.slice(this.#passed.length) : text, false);
    this.#showRest({ text });
  }

  /** Drops the held text. */
  drop(): void {
    this.#held.takeAll();
    this.#filter = undefined;
    this.#showRest({ text: "" });
  }

  /** The model call ended; its `finish` is shown after the text, with `shownText` if only a part was shown. */
  finish(given: ModelResponse, shownText?: string): void {
    const response =
      shownText === undefined ? given : { ...given, message: withText(given.message, shownText), raw: undefined };
    this.#ended = response;
    if (this.holds) return;
    this.#flush();
    this.#showFinish("all");
  }

  /** Shows the `finish` and the held records; the answer has the text that may be shown. The journal keeps all text. */
  #showRest(content: Shown): void {
    this.#showFinish(content);
    const waiting = this.#records;
    this.#records = none;
    for (const event of waiting)
      this.#options.sink.show(
        content === "all" || !isAnswer(event)
          ? event
          : { ...event, message: withText(event.message, content.text), shownText: content.text },
      );
  }

  #showFinish(content: Shown): void {
    const { sink } = this.#options;
    const response = this.#ended;
    this.#ended = undefined;
    if (response === undefined || !sink.wants("finish")) return;
    // The vendor's own answer contains the text too.
    const shown =
      content === "all" ? response : { ...response, message: withText(response.message, content.text), raw: undefined };
    sink.show({ type: "finish", finishReason: response.finishReason, usage: response.usage, response: shown });
  }

  #flush(): void {
    this.#held.add(this.#filter?.end() ?? "", this.#commentary);
    this.#filter = undefined;
    for (const { text, commentary } of this.#held.takeAll()) this.#show(text, commentary);
  }

  #show(text: string, commentary: boolean): void {
    const { sink } = this.#options;
    if (text === "" || !sink.wants("text")) return;
    this.shown = true;
    sink.show(commentary ? { type: "text", text, commentary } : { type: "text", text });
  }

  async #checkWindow(): Promise<void> {
    const { guardrails, check } = this.#options;
    // The text that was just released is context for matches across the border.
    const context = this.#released.slice(-windowBehind);
    for (const guardrail of guardrails) {
      const verdict = await check(guardrail, context + this.#held.text);
      if (!verdict.pass) {
        this.blocked ??= { name: guardrail.name, verdict };
        return;
      }
      if (verdict.replace !== undefined) {
        this.#held.takeAll();
        this.#held.add(
          verdict.replace.startsWith(context) ? verdict.replace.slice(context.length) : verdict.replace,
          this.#commentary,
        );
      }
    }
    for (const { text, commentary } of this.#held.take(this.#held.length - windowBehind)) {
      this.#show(text, commentary);
      this.#passed += text;
      this.#released = (this.#released + text).slice(-windowBehind);
    }
  }
}

function isAnswer(event: JournalEvent): event is JournalEventOf<"model.result"> {
  return event.type === "model.result" && (event.purpose === undefined || event.purpose === "turn");
}

function withText(message: AssistantMessage, text: string): AssistantMessage {
  const others = message.content.filter(({ type }) => type !== "text");
  return { ...message, content: text === "" ? others : [...others, { type: "text", text }] };
}

interface TextPiece {
  readonly text: string;
  /** True if it comments on the work so far. */
  readonly commentary: boolean;
}

/** Text that waits for a verdict, in order; commentary stays marked. */
export class HeldText {
  #pieces: TextPiece[] = [];

  get text(): string {
    return this.#pieces.map(({ text }) => text).join("");
  }

  get length(): number {
    return this.#pieces.reduce((length, { text }) => length + text.length, 0);
  }

  add(text: string, commentary: boolean): void {
    if (text === "") return;
    const last = this.#pieces.at(-1);
    if (last?.commentary === commentary) this.#pieces[this.#pieces.length - 1] = { text: last.text + text, commentary };
    else this.#pieces.push({ text, commentary });
  }

  /** Removes and returns the first characters. */
  take(count: number): readonly TextPiece[] {
    const taken: TextPiece[] = [];
    const left: TextPiece[] = [];
    let room = count;
    for (const { text, commentary } of this.#pieces) {
      if (room > 0) taken.push({ text: text.slice(0, room), commentary });
      if (room < text.length) left.push({ text: text.slice(Math.max(0, room)), commentary });
      room -= text.length;
    }
    this.#pieces = left;
    return taken;
  }

  /** Removes and returns all of it. */
  takeAll(): readonly TextPiece[] {
    const taken = this.#pieces;
    this.#pieces = [];
    return taken;
  }
}
