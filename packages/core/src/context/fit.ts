import type { Message } from "../contracts/message.ts";
import type { ShortenedMessage } from "../contracts/shortened-message.ts";
import type { CompactedView, leftOutMessage, staysShown, startOf } from "./compact.ts";
import type { shownMessage } from "./shown-message.ts";
import type { TokenEstimator } from "./token-estimate.ts";
import { unitsOf, type Unit } from "./units.ts";

// This file loads with the first conversation that is too long. It imports types, and values from its own part.

/** Kinds of content, as `priorityOrder` names them. */
export type Section = "system" | "recentHistory" | "memory" | "tools";

/** A conversation that has to fit. */
export interface FitInput {
  readonly messages: readonly Message[];
  /** The view so far: what it leaves out stays left out. */
  readonly view: CompactedView;
  /** Index of the run's first input message; it stays. */
  readonly taskIndex: number;
  readonly estimate: TokenEstimator;
  /** Tokens that the conversation and the memories may take. */
  readonly room: number;
  /** The sections in the order in which they are shortened. */
  readonly order: readonly Section[];
  /** Tokens of each recalled memory that is shown now. */
  readonly memories: readonly number[];
  /** Maximum tokens of the summary that will stand for messages that are left out; 0 if none is written. */
  readonly summaryTokens: number;
  /** True if the newest answer may be shortened too: the vendor refused the request, and the calls are still being worked on. */
  readonly withNewestAnswer: boolean;
  /** Place of a handle, so that its length counts; `undefined` if the model cannot read handles. */
  readonly handle: string | undefined;
}

/** A view in which the conversation fits, as far as it can. */
export interface Fitted {
  readonly view: CompactedView;
  /** Messages that were left out by this call, and are not shown any more. */
  readonly dropped: readonly Message[];
  /** Estimated tokens of the conversation and the memories in this view. */
  readonly tokens: number;
}

/** The functions that apply a view; they are in the initial bundle. */
export interface Views {
  readonly shownMessage: typeof shownMessage;
  readonly leftOutMessage: typeof leftOutMessage;
  readonly staysShown: typeof staysShown;
  readonly startOf: typeof startOf;
}

/** Length of a shortened text, in characters. */
const shortLength = 300;
/** Share of the space used after a cut, so that the next turns need no new cut and their prefix stays cached. */
const afterCut = 0.75;
/** A section that leaves this share of the space or less is enough: the next one is not shortened. */
const enough = 0.9;

/**
 * Shortens a conversation until it fits: one section after the other, each only as far as needed. Of results the largest
 * come first, those of the newest turn included, and are cut to a common length. Of the history, the texts of answers are
 * cut, then the oldest messages are left out, then a task that is not the newest message, then attachments. Calls keep
 * their results. The newest message of the user is never changed; last of all, the texts and arguments of the newest
 * answer are cut, if the vendor refused the request.
 */
export function fit(input: FitInput, views: Views): Fitted {
  const draft = new Draft(input, views);
  const { room } = input;
  for (const section of input.order) {
    if (draft.tokens <= room * (draft.changed ? enough : 1)) break;
    draft.shorten(section);
  }
  if (draft.tokens > room && input.withNewestAnswer) draft.shortenNewestAnswer();
  return draft.result();
}

/** A view in the making, with its tokens. */
class Draft {
  tokens: number;
  changed = false;
  readonly #input: FitInput;
  readonly #views: Views;
  readonly #entries: Map<string, ShortenedMessage>;
  readonly #lastUser: number;
  /** Messages that are kept or left out together. */
  readonly #units: readonly Unit[];
  readonly #from: number;
  #start: number;
  #leftOut: string | undefined;
  #memories: number;

  constructor(input: FitInput, views: Views) {
    const { messages, view } = input;
    this.#input = input;
    this.#views = views;
    this.#entries = new Map(view.shortened?.map((one) => [one.messageId, one]));
    this.#lastUser = messages.findLastIndex(({ role }) => role === "user");
    this.#from = views.startOf(messages, view);
    this.#start = this.#from;
    this.#leftOut = view.leftOut;
    this.#units = unitsOf(messages, this.#from);
    this.#memories = input.memories.length;
    this.tokens = sum(input.memories) + input.estimate.messages(views.leftOutMessage(view));
    for (const index of messages.keys()) this.tokens += this.#tokensAt(index);
  }

  shorten(section: Section): void {
    switch (section) {
      case "tools":
        return this.#shortenResults();
      case "recentHistory":
        return this.#shortenHistory();
      case "memory":
        return this.#leaveOutMemories();
      case "system":
        return this.#leaveOutSystemMessages();
    }
  }

  /** The calls of the newest answer may wait for a person: it stays, with shorter texts and arguments. */
  shortenNewestAnswer(): void {
    const newest = this.#units.at(-1)?.start ?? -1;
    const message = this.#input.messages[newest];
    if (message?.role !== "assistant" || waitsForApproval(message)) return;
    this.#bound(newest, { characters: shortLength });
  }

  result(): Fitted {
    const { messages, view } = this.#input;
    const dropped = messages.slice(this.#from, this.#start).filter((_, at) => !this.#isShown(this.#from + at));
    const last = messages[this.#start - 1];
    const shown = new Set(messages.filter((_, index) => this.#isShown(index)).map(({ id }) => id));
    const shortened = [...this.#entries.values()].filter(({ messageId }) => shown.has(messageId));
    const memories = this.#memories < this.#input.memories.length ? this.#memories : view.memories;
    return {
      view: {
        uptoMessageId: this.#start === this.#from ? view.uptoMessageId : last?.id,
        summary: view.summary,
        leftOut: this.#leftOut,
        ...(shortened.length > 0 && { shortened }),
        ...(memories !== undefined && { memories }),
      },
      dropped,
      tokens: this.tokens,
    };
  }

  #isShown(index: number): boolean {
    const message = this.#input.messages[index];
    if (message === undefined) return false;
    return index >= this.#start || this.#views.staysShown(message, index, this.#input.taskIndex, this.#lastUser);
  }

  #tokensAt(index: number): number {
    const message = this.#input.messages[index];
    if (message === undefined || !this.#isShown(index)) return 0;
    const shown = this.#views.shownMessage(message, this.#entries.get(message.id));
    return shown === undefined ? 0 : this.#input.estimate.message(shown);
  }

  /** Applies a bound to a message if it is stricter than the one that it has. */
  #bound(index: number, by: Omit<ShortenedMessage, "messageId">): void {
    const message = this.#input.messages[index];
    if (message === undefined) return;
    const before = this.#entries.get(message.id);
    const characters = Math.min(by.characters, before?.characters ?? Infinity);
    const withoutMedia = by.withoutMedia ?? before?.withoutMedia;
    const tokens = this.#tokensAt(index);
    this.#entries.set(message.id, {
      messageId: message.id,
      characters,
      handle: before?.handle ?? this.#input.handle,
      ...(withoutMedia !== undefined && { withoutMedia }),
    });
    const saved = tokens - this.#tokensAt(index);
    if (saved > 0) {
      this.tokens -= saved;
      this.changed = true;
      return;
    }
    if (before === undefined) this.#entries.delete(message.id);
    else this.#entries.set(message.id, before);
  }

  /** Indices of the shown messages for which a test holds. */
  #shown(holds: (message: Message, index: number) => boolean): readonly number[] {
    return [...this.#input.messages.keys()].filter((index) => {
      const message = this.#input.messages[index];
      return message !== undefined && this.#isShown(index) && holds(message, index);
    });
  }

  #shortenResults(): void {
    const { messages, room } = this.#input;
    const lastAnswer = messages.findLastIndex(({ role }) => role === "assistant");
    const results = this.#shown(({ role }) => role === "tool");
    // The model has used the results before its last answer.
    const settled = results.filter((index) => index < lastAnswer);
    for (const index of settled.toSorted((one, other) => this.#tokensAt(other) - this.#tokensAt(one))) {
      if (this.tokens <= room * afterCut) return;
      this.#bound(index, { characters: shortLength });
    }
    const newest = results.filter((index) => index > lastAnswer);
    this.#shortenTo(newest, room * enough);
    for (const index of newest) if (this.tokens > room) this.#bound(index, { characters: shortLength });
  }

  /** Cuts the largest of some results to a common number of tokens, so that all fit. */
  #shortenTo(indices: readonly number[], room: number): void {
    if (this.tokens <= room) return;
    const sizes = indices.map((index) => this.#tokensAt(index));
    const level = commonLevel(sizes, room - (this.tokens - sum(sizes)));
    for (const [at, index] of indices.entries()) {
      const tokens = sizes[at] ?? 0;
      if (tokens <= level) continue;
      const length = this.#lengthAt(index);
      // The note about the cut has about 250 characters.
      const characters = Math.floor((length * level) / tokens) - 250;
      this.#bound(index, { characters: Math.max(shortLength, characters) });
    }
  }

  #lengthAt(index: number): number {
    const content = this.#input.messages[index]?.content ?? "";
    if (typeof content === "string") return content.length;
    return sum(content.map((part) => (part.type === "text" ? part.text.length : 0)));
  }

  #shortenHistory(): void {
    const { messages, room, summaryTokens, taskIndex } = this.#input;
    const target = room * afterCut;
    // Messages that a summary will stand for are left out as a whole.
    if (summaryTokens === 0) {
      for (const index of this.#shown((message, at) => isSettledAnswer(message) && at < this.#lastUnitStart())) {
        if (this.tokens <= target) return;
        this.#bound(index, { characters: shortLength });
      }
    }
    this.#leaveOutOldest(target);
    if (this.tokens > room && taskIndex < this.#lastUser && messages[taskIndex]?.role === "user") {
      this.#bound(taskIndex, { characters: 0 });
    }
    for (const index of this.#shown((message, at) => at !== this.#lastUser && holdsMedia(message))) {
      if (this.tokens <= room) return;
      this.#bound(index, { characters: Number.MAX_SAFE_INTEGER, withoutMedia: true });
    }
  }

  #lastUnitStart(): number {
    return this.#units.at(-1)?.start ?? 0;
  }

  /** Leaves out the oldest messages; with the way to them, unless its note is longer than they are. */
  #leaveOutOldest(target: number): void {
    const { view, handle } = this.#input;
    if (this.tokens <= target || this.#units.length < 2) return;
    if (!this.#leaveOutTo(target, handle ?? view.leftOut) && handle !== undefined)
      this.#leaveOutTo(target, view.leftOut);
  }

  /** @returns false if nothing was saved, and so nothing is left out. */
  #leaveOutTo(target: number, leftOut: string | undefined): boolean {
    const { view, summaryTokens, estimate } = this.#input;
    const { tokens } = this;
    const start = this.#start;
    const note = this.#views.leftOutMessage({ ...view, leftOut });
    this.tokens += estimate.messages(note) + summaryTokens - estimate.messages(this.#views.leftOutMessage(view));
    for (const unit of this.#units.slice(0, -1)) {
      if (this.tokens <= target) break;
      for (let index = unit.start; index <= unit.end; index += 1) this.tokens -= this.#tokensAt(index);
      this.#start = unit.end + 1;
      for (let index = unit.start; index <= unit.end; index += 1) this.tokens += this.#tokensAt(index);
    }
    if (this.tokens < tokens) {
      this.changed = true;
      this.#leftOut = leftOut;
      return true;
    }
    this.#start = start;
    this.tokens = tokens;
    return false;
  }

  #leaveOutMemories(): void {
    while (this.#memories > 0 && this.tokens > this.#input.room * enough) {
      this.#memories -= 1;
      this.tokens -= this.#input.memories[this.#memories] ?? 0;
      this.changed = true;
    }
  }

  #leaveOutSystemMessages(): void {
    for (const index of this.#shown(({ role }) => role === "system")) {
      if (this.tokens <= this.#input.room * enough) return;
      this.#bound(index, { characters: 0 });
    }
  }
}

/** The largest size to which all can be cut so that their sum fits. */
function commonLevel(sizes: readonly number[], room: number): number {
  let left = room;
  const sorted = sizes.toSorted((one, other) => one - other);
  for (const [at, size] of sorted.entries()) {
    const share = left / (sorted.length - at);
    if (size > share) return Math.max(0, share);
    left -= size;
  }
  return Infinity;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function isSettledAnswer(message: Message): boolean {
  return message.role === "assistant" && !waitsForApproval(message);
}

/** A vendor's tool waits for a decision on this answer: only the vendor's own data continue it. */
function waitsForApproval(message: Message): boolean {
  return (
    message.role === "assistant" &&
    message.content.some((part) => part.type === "hosted_tool" && part.approvalRequestId !== undefined)
  );
}

function holdsMedia({ content }: Message): boolean {
  return (
    typeof content !== "string" && content.some(({ type }) => type === "image" || type === "audio" || type === "file")
  );
}
