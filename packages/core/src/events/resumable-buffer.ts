import type { JournalEvent } from "../contracts/journal-event.ts";
import type { RunEvent, RunEventType } from "../contracts/run-event.ts";
import { deltaTypes } from "./event-table.ts";
import type { Tap } from "./event-bus.ts";

/** Number of events that a reconnecting consumer may be behind before it loses some. */
const readerBound = 10_000;

const deltas: ReadonlySet<RunEventType> = new Set(deltaTypes);

/** One consumer with a separate queue, so that a slow one does not delay the others. */
interface Reader {
  readonly queue: RunEvent[];
  dropped: number;
  /** The notice about losses for the consumer; it is updated while it is unread. */
  notice: { type: "observer.lagging"; dropped: number } | undefined;
  wake: (() => void) | undefined;
}

/** Keeps the data for consumers that reconnect to a `resumable` run: the records of this process, and the deltas of the open turn. */
export class ResumableBuffer {
  readonly #records: JournalEvent[] = [];
  readonly #readers = new Set<Reader>();
  /** Live events since the model call began, each with the number of records before it. */
  #open: { readonly event: RunEvent; readonly after: number }[] = [];
  #closed = false;

  readonly tap: Tap = {
    name: "The resumable buffer",
    wants: () => !this.#closed,
    take: (event) => {
      if ("seq" in event) {
        this.#records.push(event);
        // The record contains the streamed text.
        if (event.type === "model.result" || event.type === "model.intent")
          this.#open = this.#open.filter((one) => !deltas.has(one.event.type));
      } else if (this.#open.length < readerBound) this.#open.push({ event, after: this.#records.length });
      for (const reader of this.#readers) hand(reader, event);
    },
  };

  /** `seq` of the first record that is here; earlier ones are in the store. */
  get firstSeq(): number | undefined {
    return this.#records[0]?.seq;
  }

  /**
   * The records after a `seq`, the open turn's deltas, then live events until the run ends or waits.
   *
   * @param afterSeq - The last record that the consumer has.
   * @yields the events.
   */
  async *follow(afterSeq: number): AsyncGenerator<RunEvent> {
    const reader: Reader = { queue: [], dropped: 0, notice: undefined, wake: undefined };
    const before = this.#open;
    let next = 0;
    for (const [index, record] of this.#records.entries()) {
      for (; next < before.length && (before[next]?.after ?? 0) <= index; next += 1)
        pushLive(reader, before[next]?.event);
      if (record.seq > afterSeq) reader.queue.push(record);
    }
    for (; next < before.length; next += 1) pushLive(reader, before[next]?.event);
    this.#readers.add(reader);
    try {
      for (;;) {
        const event = reader.queue.shift();
        if (event !== undefined) yield event;
        else if (this.#closed) return;
        else {
          await new Promise<void>((resolve) => (reader.wake = resolve));
          reader.wake = undefined;
        }
      }
    } finally {
      this.#readers.delete(reader);
    }
  }

  /** No more data will arrive. */
  close(): void {
    this.#closed = true;
    for (const reader of this.#readers) reader.wake?.();
  }
}

function hand(reader: Reader, event: RunEvent): void {
  const last = reader.queue.at(-1);
  if (reader.queue.length >= readerBound && !("seq" in event)) {
    if (event.type === "text" && last?.type === "text" && event.commentary === last.commentary)
      reader.queue[reader.queue.length - 1] = { ...last, text: last.text + event.text };
    else reader.dropped += 1;
    return;
  }
  if (reader.dropped > 0) tellOfLosses(reader);
  reader.queue.push(event);
  reader.wake?.();
}

function pushLive(reader: Reader, event: RunEvent | undefined): void {
  if (event !== undefined) reader.queue.push(event);
}

function tellOfLosses(reader: Reader): void {
  const { notice } = reader;
  if (notice !== undefined && reader.queue.includes(notice)) notice.dropped += reader.dropped;
  else reader.queue.push((reader.notice = { type: "observer.lagging", dropped: reader.dropped }));
  reader.dropped = 0;
}
