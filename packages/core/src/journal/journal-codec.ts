import type { JournalEvent } from "../contracts/journal-event.ts";
import type { Hasher } from "../contracts/ports/hasher.ts";
import type { LedgerRow } from "../contracts/ports/ledger.ts";
import type { RunStore, SessionAppend } from "../contracts/ports/run-store.ts";
import type { Sealer } from "../contracts/ports/security.ts";
import { chainHash, headText, recordText } from "./hash-chain.ts";
import { mapInSlices, loadLarge, spillLarge } from "./large-values.ts";
import { readHistories, storedHistories } from "./stored-history.ts";
import { sealRow } from "./sealed-ledger.ts";
import { isSignedWith, signWith, type KeyOrKeys } from "./sign-keys.ts";
import { openRecord, refuseSealed, sealRecord } from "./sealed-record.ts";
import { sealAppend } from "./seal-append.ts";
import { JournalTamperedError } from "../errors/store-errors.ts";

/** Turns records into their stored form, and back. One codec serves one run, in order of `seq`. */
export interface JournalCodec {
  /** Prepares the records of one append. */
  encode(events: readonly JournalEvent[]): readonly JournalEvent[] | Promise<readonly JournalEvent[]>;
  /**
   * Restores the original records; the first call takes the journal from its beginning.
   *
   * @throws JournalTamperedError with a key, if a signature is missing or wrong.
   * @throws SealKeyMissingError if they are sealed and there is no key.
   */
  decode(events: readonly JournalEvent[]): Promise<readonly JournalEvent[]>;
  /** Seals the rows that an append writes beside its records; absent without a sealing key. */
  readonly beside?:
    | {
        rows(rows: readonly LedgerRow[]): Promise<readonly LedgerRow[]>;
        session(append: SessionAppend): Promise<SessionAppend>;
      }
    | undefined;
}

/** Options of a codec. */
export interface JournalCodecOptions {
  readonly runId: string;
  readonly store: RunStore;
  readonly hasher: Hasher;
  /**
   * HMAC key (`keys.sign`): each append is signed, and a journal without valid signatures is refused. With a list, the
   * first key signs, and a signature by any of them is accepted.
   */
  readonly signKey?: KeyOrKeys | undefined;
  /** Encrypts the content of records, with the key `keys.seal`. */
  readonly sealer?: Sealer | undefined;
  /** Text and bytes longer than this are kept as blobs; in characters or bytes, default 32,768. */
  readonly spillAbove?: number | undefined;
}

/**
 * Creates the codec of a run: the conversation of its session becomes a reference, large values become references to
 * blobs; with keys, records are sealed and signed. A store in memory without keys only needs the first.
 */
export function createJournalCodec(options: JournalCodecOptions): JournalCodec {
  const { store, sealer, hasher, runId, signKey } = options;
  if (!store.durable && sealer === undefined && signKey === undefined) {
    return {
      encode: (events) => storedHistories(events, hasher),
      decode: (events) => readHistories(refuseSealed(events), { store, hasher }),
    };
  }
  const spill = { store, hasher, above: options.spillAbove ?? 32_768 };
  let head = "";

  function sign(events: readonly JournalEvent[]): readonly JournalEvent[] {
    if (signKey === undefined) return events;
    for (const event of events) head = chainHash(hasher, head, recordText(event));
    return events.map((event, index) =>
      index === events.length - 1
        ? { ...event, mac: signWith(hasher, signKey, headText(runId, event.seq, head)) }
        : event,
    );
  }

  async function verify(events: readonly JournalEvent[]): Promise<readonly JournalEvent[]> {
    if (signKey === undefined) return events;
    let signed = true;
    const bare = await mapInSlices(events, (event) => {
      const { mac, ...rest } = event;
      head = chainHash(hasher, head, recordText(rest));
      if (mac !== undefined && !isSignedWith(hasher, signKey, headText(runId, event.seq, head), mac)) {
        throw new JournalTamperedError(
          runId,
          event.seq,
          `The signature of record ${event.seq} of run "${runId}" is invalid: the journal was changed, or signed with a key that is not among keys.sign. It is not used.`,
        );
      }
      signed = mac !== undefined;
      return rest;
    });
    if (!signed) {
      const seq = events.at(-1)?.seq ?? 0;
      throw new JournalTamperedError(
        runId,
        seq,
        `Record ${seq} of run "${runId}" is not signed: it was added without the key. The journal is not used.`,
      );
    }
    return bare;
  }

  return {
    encode(recorded) {
      const events = storedHistories(recorded, hasher);
      if (sealer === undefined) {
        const large = spillLarge(events, spill);
        return large.stored === undefined ? sign(large.events) : large.stored.then(() => sign(large.events));
      }
      return Promise.all(events.map((event) => sealRecord(event, sealer))).then(async (records) => {
        const spilled = spillLarge(records, spill);
        await spilled.stored;
        return sign(spilled.events);
      });
    },
    async decode(events) {
      const loaded = await loadLarge(await verify(events), store);
      const opened =
        sealer === undefined
          ? refuseSealed(loaded)
          : await Promise.all(loaded.map((event) => openRecord(event, sealer)));
      return readHistories(opened, { store, hasher, sealer });
    },
    ...(sealer !== undefined && {
      beside: {
        rows: (rows) => Promise.all(rows.map((row) => sealRow(row, sealer))),
        session: (append) => sealAppend(append, sealer, append),
      },
    }),
  };
}
