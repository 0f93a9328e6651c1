import type { JournalEvent } from "../contracts/journal-event.ts";

/** Turns records into what a store keeps, and back. */
export interface JournalCodec {
  /** Called once per record, in order of `seq`. */
  encode(events: readonly JournalEvent[]): readonly JournalEvent[] | Promise<readonly JournalEvent[]>;
  decode(events: readonly JournalEvent[]): Promise<readonly JournalEvent[]>;
}
