import type { JournalEvent } from "../../contracts/journal-event.ts";
import type { Ledger, LedgerKey, LedgerRow } from "../../contracts/ports/ledger.ts";
import type {
  Claim,
  ClaimRequest,
  CreatedRun,
  Lease,
  LeaseHolder,
  Release,
  RunStore,
  SessionAppend,
} from "../../contracts/ports/run-store.ts";
import type { SessionStore } from "../../contracts/ports/session-store.ts";
import type { Head, RunRecord } from "../../contracts/ports/stored-run.ts";
import type { Signal } from "../../contracts/signal.ts";
import { asStoreError, isAway } from "../../errors/host-errors.ts";
import { factsOf } from "../../journal/journal-writer.ts";
import { sessionMethods } from "../../journal/session-methods.ts";
import { FencedError, isFenced } from "../../errors/store-errors.ts";
import type { Patience } from "./patience.ts";

type Answer<Method extends keyof RunStore> = RunStore[Method] extends ((...args: never[]) => infer Result) | undefined
  ? Result
  : never;
type Given<Method extends keyof RunStore> = Parameters<Extract<RunStore[Method], (...args: never[]) => unknown>>;

/**
 * The store of one run: a call that fails because the store is away is repeated, so that an outage is not an outcome of the
 * run. The answer of a failed call may have been lost, so a write is only repeated after the stored state was read.
 *
 * The first try of each call reaches the store synchronously: stores write an append and the release after it in one
 * transaction.
 */
export class PatientStore implements RunStore {
  readonly name: string;
  readonly durable: boolean;
  readonly ledger: Ledger | undefined;
  readonly subscribe?: NonNullable<RunStore["subscribe"]>;
  readonly onReady?: NonNullable<RunStore["onReady"]>;
  /** The store below. */
  readonly below: RunStore;
  readonly patience: Patience;
  /** The last append, while it has no answer. */
  #sessions: SessionStore | undefined;
  #appending: { readonly answer: Promise<Head>; isRepeated: boolean } | undefined;

  constructor(below: RunStore, patience: Patience) {
    this.below = below;
    this.patience = patience;
    this.name = below.name;
    this.durable = below.durable;
    this.ledger = below.ledger && new PatientLedger(below.ledger, this.name, patience);
    if (below.subscribe !== undefined) this.subscribe = below.subscribe.bind(below);
    if (below.onReady !== undefined) this.onReady = below.onReady.bind(below);
  }

  get sessions(): SessionStore | undefined {
    const { sessions } = this.below;
    return (this.#sessions ??= sessions && patientSessions(sessions, this.name, this.patience));
  }

  create(record: RunRecord, holder?: LeaseHolder): Promise<CreatedRun> {
    const { below } = this;
    return ask(
      this,
      () => below.create(record, holder),
      async () => {
        const stored = await below.getRun(record.id);
        if (stored === undefined) return below.create(record, holder);
        const held = {
          runId: record.id,
          owner: holder?.owner ?? "",
          epoch: stored.epoch,
          head: stored.head,
          expiresAt: 0,
        };
        const lease = holder !== undefined && stored.epoch === 1 ? await this.#held(held, holder.ttlMs) : undefined;
        return { run: stored, created: true, lease };
      },
    );
  }

  acquire(...given: Given<"acquire">): Promise<Lease | null> {
    const { below } = this;
    const [runId, owner, ttlMs, under] = given;
    return ask(
      this,
      () => below.acquire(...given),
      async () => {
        const lease = await below.acquire(...given);
        if (lease !== null) return lease;
        // The lease of this process, whose answer was lost: a new epoch fences another process that may have got it here.
        const stored = await below.getRun(runId);
        if (stored?.state !== "running") return null;
        const { epoch, head } = stored;
        const held = await this.#held({ runId, owner, epoch, head, expiresAt: 0 }, ttlMs);
        return held === undefined ? null : below.acquire(runId, owner, ttlMs, under, epoch);
      },
    );
  }

  append(lease: Lease, events: readonly JournalEvent[], attachments?: readonly LedgerRow[]): Promise<Head> {
    const { below } = this;
    const write = (kept: readonly JournalEvent[] = events): Promise<Head> =>
      attachments === undefined ? below.append(lease, kept) : below.append(lease, kept, attachments);
    const seq = events.at(-1)?.seq ?? lease.head.seq;
    const current: { answer: Promise<Head>; isRepeated: boolean } = {
      isRepeated: false,
      answer: ask(
        this,
        () => write(),
        async () => {
          current.isRepeated = true;
          const head = await this.#headUnder(lease);
          if (head.seq === seq) return head;
          const kept = this.patience.isInterrupted ? factsOf(events) : events;
          if (kept.length === 0) return head;
          try {
            return await write(kept);
          } catch (error) {
            // The first try may have arrived after the head was read.
            const after = isFenced(error) ? await this.#headUnder(lease) : undefined;
            if (after?.seq !== seq) throw error;
            return after;
          }
        },
      ),
    };
    this.#appending = current;
    const landed = (): void => {
      if (this.#appending === current) this.#appending = undefined;
    };
    current.answer.then(landed, landed);
    return current.answer;
  }

  async release(lease: Lease, next: Release, session?: SessionAppend): Promise<void> {
    const { below } = this;
    const before = this.#appending;
    const first = below.release(lease, next, session);
    try {
      await first;
    } catch (thrown) {
      // The store refuses a release before the records that it follows are stored.
      await before?.answer;
      const isEarly = before?.isRepeated === true && isFenced(thrown);
      const repeat = async (): Promise<void> => {
        const stored = await below.getRun(lease.runId);
        if (stored === undefined || stored.state !== "running") return;
        // Another process has the run, with all records of this one.
        if (stored.epoch !== lease.epoch && stored.head.seq >= lease.head.seq) return;
        await below.release({ ...lease, head: stored.head }, next, session);
      };
      if (isEarly) return ask(this, repeat);
      if (!isAway(thrown)) throw thrown;
      await this.patience.again(thrown, repeat, this.patience.releaseMs);
    }
  }

  /** Not repeated here: the lease keeper repeats it, while the leases last. */
  renew(...given: Given<"renew">): Answer<"renew"> {
    return this.below.renew(...given);
  }

  signal(runId: string, signal: Signal): Promise<void> {
    return ask(this, () => this.below.signal(runId, signal));
  }

  takeSignals(lease: Lease): Promise<readonly Signal[]> {
    return ask(this, () => this.below.takeSignals(lease));
  }

  load(...given: Given<"load">): Answer<"load"> {
    return ask(this, () => this.below.load(...given));
  }

  get(...given: Given<"get">): Answer<"get"> {
    return ask(this, () => this.below.get(...given));
  }

  getRun(runId: string): Answer<"getRun"> {
    return ask(this, () => this.below.getRun(runId));
  }

  listRuns(...given: Given<"listRuns">): Answer<"listRuns"> {
    return ask(this, () => this.below.listRuns(...given));
  }

  searchRuns(...given: Given<"searchRuns">): Answer<"searchRuns"> {
    return ask(this, () => this.below.searchRuns(...given));
  }

  countRuns(...given: Given<"countRuns">): Answer<"countRuns"> {
    return ask(this, () => this.below.countRuns(...given));
  }

  deleteRun(...given: Given<"deleteRun">): Answer<"deleteRun"> {
    return ask(this, () => this.below.deleteRun(...given));
  }

  putBlob(bytes: Uint8Array): Promise<string> {
    return ask(this, () => this.below.putBlob(bytes));
  }

  getBlob(hash: string): Promise<Uint8Array> {
    return ask(this, () => this.below.getBlob(hash));
  }

  // Calls of workers, which repeat them themselves.

  claim(request: ClaimRequest): Promise<Claim> {
    return this.below.claim(request);
  }

  requeue(...given: Given<"requeue">): Answer<"requeue"> {
    return this.below.requeue(...given);
  }

  queueDepth(...given: Given<"queueDepth">): Answer<"queueDepth"> {
    return this.below.queueDepth(...given);
  }

  /** The lease of this process, renewed, if the store has it. */
  async #held(lease: Lease, ttlMs: number): Promise<Lease | undefined> {
    const [answer] = await this.below.renew([lease], ttlMs);
    return answer?.held === true ? lease : undefined;
  }

  /** The head of the journal, while this process has the run. */
  async #headUnder({ runId, epoch }: Lease): Promise<Head> {
    const stored = await this.below.getRun(runId);
    if (stored?.epoch !== epoch) throw new FencedError(runId);
    return stored.head;
  }
}

/** Makes a call, and repeats it while the store is away. */
async function ask<T>(
  { name, patience }: { readonly name: string; readonly patience: Patience },
  call: () => Promise<T>,
  repeat: () => Promise<T> = call,
): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    if (isAway(thrown)) return patience.again(thrown, repeat);
    throw asStoreError(thrown, name);
  }
}

/** The ledger of one run. */
class PatientLedger implements Ledger {
  readonly name: string;
  readonly below: Ledger;
  readonly patience: Patience;

  constructor(below: Ledger, name: string, patience: Patience) {
    this.below = below;
    this.name = name;
    this.patience = patience;
  }

  get(key: LedgerKey): Promise<LedgerRow | undefined> {
    return ask(this, () => this.below.get(key));
  }

  /** A reservation that the store made, but did not answer, belongs to the same call: the repetition gets it. */
  reserve(row: LedgerRow): ReturnType<Ledger["reserve"]> {
    return ask(this, () => this.below.reserve(row));
  }

  put(row: LedgerRow): Promise<void> {
    return ask(this, () => this.below.put(row));
  }

  release(key: LedgerKey, runId: string): Promise<void> {
    return ask(this, () => this.below.release(key, runId));
  }
}

/** Calls that runs make. */
const patientCalls: ReadonlySet<keyof SessionStore> = new Set(["load", "append", "loadState", "writeState"]);

/** The sessions of one run: the calls that runs make are repeated. */
function patientSessions(below: SessionStore, name: string, patience: Patience): SessionStore {
  const methods = sessionMethods.map((method) => {
    const call = (below[method] as (...given: readonly unknown[]) => Promise<unknown>).bind(below);
    const repeated = (...given: readonly unknown[]): Promise<unknown> => ask({ name, patience }, () => call(...given));
    return [method, patientCalls.has(method) ? repeated : call] as const;
  });
  return Object.fromEntries(methods) as unknown as SessionStore;
}

/** The store below the one of a run. */
export function storeBelow(store: RunStore): RunStore {
  return store instanceof PatientStore ? store.below : store;
}

/** The store, the ledger and the session of one run: their calls wait for a store that is away. */
export function patientPorts(
  ports: { readonly store: RunStore; readonly ledger: Ledger },
  patience: Patience,
): { readonly store: PatientStore; readonly ledger: Ledger } {
  const store = new PatientStore(storeBelow(ports.store), patience);
  const ledger = ports.ledger instanceof PatientLedger ? ports.ledger.below : ports.ledger;
  const isOwn = ledger === store.below.ledger && store.ledger !== undefined;
  return { store, ledger: isOwn ? store.ledger : new PatientLedger(ledger, store.name, patience) };
}

/** The session of a run on its store. */
export function patientSession(session: SessionStore | undefined, store: PatientStore): SessionStore | undefined {
  if (session === undefined || (session as unknown) === store.below) return session;
  return session === store.below.sessions ? store.sessions : patientSessions(session, store.name, store.patience);
}
