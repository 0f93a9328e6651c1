import type { JournalEvent } from "../contracts/journal-event.ts";
import type { RunEvent, RunEventType } from "../contracts/run-event.ts";
import { deltaTypes } from "./event-table.ts";
import type { Tap } from "./event-bus.ts";

/** Number of events that a reconnecting consumer may be behind before it loses some. */
const readerBound = 10_000;

const deltas: ReadonlySet<RunEventType> = new Set(deltaTypes);

/** Keeps the data for consumers that reconnect: the records of this process, and the deltas of the open turn. */
export interface ResumableBuffer {
  readonly tap: Tap;
  /**
   * The records after a `seq`, the open turn's deltas, then live events until the run ends or waits.
   *
   * @param afterSeq - The last record that the consumer has.
   */
  follow(afterSeq: number): AsyncIterableIterator<RunEvent>;
  /** `seq` of the first record that is here; earlier ones are in the store. */
  readonly firstSeq: number | undefined;
  /** No more data will arrive. */
  close(): void;
}

/** One consumer with a separate queue, so that a slow one does not delay the others. */
interface Reader {
  readonly queue: RunEvent[];
  dropped: number;
  /** The notice about losses for the consumer; it is updated while it is unread. */
  notice: { type: "observer.lagging"; dropped: number } | undefined;
  wake: (() => void) | undefined;
}

/** Creates the buffer of one `resumable` run. */
export function createResumableBuffer(): ResumableBuffer {
  const records: JournalEvent[] = [];
  const readers = new Set<Reader>();
  /** Live events since the model call began, each with the number of records before it. */
  let open: { readonly event: RunEvent; readonly after: number }[] = [];
  let closed = false;

  const hand = (reader: Reader, event: RunEvent): void => {
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
  };

  return {
    tap: {
      name: "The resumable buffer",
      wants: () => !closed,
      take(event: RunEvent): void {
        if ("seq" in event) {
          records.push(event);
          // The record contains the streamed text.
          if (event.type === "model.result" || event.type === "model.intent")
            open = open.filter((one) => !deltas.has(one.event.type));
        } else if (open.length < readerBound) open.push({ event, after: records.length });
        for (const reader of readers) hand(reader, event);
      },
    },
    get firstSeq(): number | undefined {
      return records[0]?.seq;
    },
    async *follow(afterSeq: number): AsyncGenerator<RunEvent> {
      const reader: Reader = { queue: [], dropped: 0, notice: undefined, wake: undefined };
      const before = open;
      let next = 0;
      for (const [index, record] of records.entries()) {
        for (; next < before.length && (before[next]?.after ?? 0) <= index; next += 1)
          pushLive(reader, before[next]?.event);
        if (record.seq > afterSeq) reader.queue.push(record);
      }
      for (; next < before.length; next += 1) pushLive(reader, before[next]?.event);
      readers.add(reader);
      try {
        for (;;) {
          const event = reader.queue.shift();
          if (event !== undefined) yield event;
          else if (closed) return;
          else {
            await new Promise<void>((resolve) => (reader.wake = resolve));
            reader.wake = undefined;
          }
        }
      } finally {
        readers.delete(reader);
      }
    },
    close(): void {
      closed = true;
      for (const reader of readers) reader.wake?.();
    },
  };
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
