import type { JournalEvent, JournalEventType } from "../contracts/journal-event.ts";

/** A part of a run that hears records as they are made, synchronously and in order. */
export interface JournalSubscriber {
  readonly name: string;
  /** Types of the records that reach it. */
  readonly types: "all" | readonly JournalEventType[];
  hear(event: JournalEvent): void;
}

const none: readonly JournalSubscriber[] = [];

/** Subscribers by the type of the record; a type is looked up once. */
export class Subscribers {
  readonly #byType: Map<JournalEventType, readonly JournalSubscriber[]> = new Map();
  #all: readonly JournalSubscriber[] = none;

  add(subscribers: readonly JournalSubscriber[]): () => void {
    this.#set([...this.#all, ...subscribers]);
    return () => this.#set(this.#all.filter((one) => !subscribers.includes(one)));
  }

  of(type: JournalEventType): readonly JournalSubscriber[] {
    const known = this.#byType.get(type);
    if (known !== undefined) return known;
    const asked = this.#all.filter(({ types }) => types === "all" || types.includes(type));
    this.#byType.set(type, asked);
    return asked;
  }

  #set(all: readonly JournalSubscriber[]): void {
    this.#all = all;
    this.#byType.clear();
  }
}
