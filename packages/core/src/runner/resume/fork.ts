import { isWaiting } from "../../contracts/stop-reason.ts";
import type { JournalEvent } from "../../contracts/journal-event.ts";
import type { Lease } from "../../contracts/ports/run-store.ts";
import type { ParentHandle, RunInput } from "../../contracts/run-options.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";
import { anyText, isObject, recordOf, type Fields } from "../../errors/value-checks.ts";
import { RunBusyError, RunError, RunNotFoundError } from "../../errors/run-errors.ts";
import { createJournalCodec } from "../../journal/journal-codec.ts";
import { outerLease } from "../caller/caller.ts";
import { loadRun, protectionOf, type LoadedRun } from "../start/load-run.ts";
import { newRecord, toUserMessage } from "../start/run-input.ts";
import { messageSignal, sendSignal } from "../inbox/signals.ts";
import { forkPlace, type ForkPlace, type InsideOrigin, type Suspended } from "../state/fork-place.ts";
import { checkGiven } from "../settings/check-settings.ts";
import { checkEdits, editedRecords, movedRecords } from "./fork-records.ts";
import type { Agent } from "../run.ts";

/** Position of a fork, and its changes. */
export interface ForkOptions {
  /** Last record to copy. */
  readonly atSeq: number;
  /** Changes made to the new run before it continues. */
  readonly edit?:
    | {
        /** A message that the new run reads next. */
        readonly message?: RunInput | undefined;
        /**
         * New texts of copied messages, by their ids: of a user, a model's answer, or a tool's result. Each keeps its
         * label. Calls of an answer keep their arguments.
         */
        readonly messages?: Readonly<Record<string, string>> | undefined;
      }
    | undefined;
}

const texts = recordOf(anyText);
const checks: Fields<keyof ForkOptions> = {
  atSeq: (value) => (typeof value === "number" ? undefined : "is the number of a record"),
  // Reads each member, so that one that throws when it is read is refused by its name.
  edit: recordOf(() => undefined),
};
const editChecks: Fields<keyof NonNullable<ForkOptions["edit"]>> = {
  message: (value) => void toUserMessage(value as RunInput, "message", 0),
  messages: (value) => (isObject(value) ? texts(value) : "is an object of new texts by message id"),
};

/**
 * Creates a new run from the beginning of another; `resume` drives it. Nothing that was recorded is executed again:
 * calls with results keep them, runs inside calls begin at their former position, and a writer's intent without outcome
 * stays a question. Open questions belong to the new run: a decision about the other run answers none of them.
 *
 * @throws RunNotFoundError if the store does not have the run.
 * @throws RunError `RUN_HAS_PARENT` for a run inside a call of another run: alone, that run's settings would not bind it.
 * @throws ConfigurationError `INVALID_OPTION` if `atSeq` is not in its journal or an edited message is not before it,
 *   `UNKNOWN_OPTION` for any other name.
 */
export async function forkRun(agent: Agent, runId: string, options: ForkOptions): Promise<{ readonly runId: string }> {
  checkGiven(options, checks, "fork()");
  // Programs without types may leave them out.
  const { atSeq, edit }: ForkOptions = { ...options };
  checkGiven(edit, editChecks, "the edit of fork()");
  const { ids } = agent;
  const source = await loadRun(agent, runId);
  const { parent } = source.run;
  if (parent !== undefined)
    throw new RunError(
      "RUN_HAS_PARENT",
      `Run "${runId}" belongs to a tool call of run "${parent.runId}", whose approvals, guardrails and flow bind it. Fork that run: in the fork, this run begins where it was.`,
      { runId },
    );
  const last = source.events[atSeq - 1];
  if (last === undefined) {
    throw new ConfigurationError(
      "INVALID_OPTION",
      `Run "${runId}" has records 1 to ${source.events.length}; there is no record ${atSeq} for "atSeq".`,
    );
  }
  // No record follows the last one, so runs inside its calls have all their records before the fork.
  const at = atSeq === source.events.length ? agent.clock.now() : last.at;
  const edits = edit?.messages;
  if (edits !== undefined) checkEdits(source.events.slice(0, atSeq), edits);
  const given = edit?.message;
  const message =
    given === undefined
      ? undefined
      : messageSignal("input", toUserMessage(given, ids.next("message"), agent.clock.now()), ids.next("signal"));
  const newId = ids.next("run");
  const editedTo = edits === undefined ? Math.min(atSeq, source.fork?.editedTo ?? 0) : atSeq;
  const place = {
    ...forkPlace(newId, { runId, fork: source.fork }, { seq: atSeq, at }, { message, edits }),
    ...(editedTo > 0 && { editedTo }),
  };
  await makeFork(agent, source, place, newId);
  return { runId: newId };
}

/**
 * Gives an inner run of a fork the same beginning as in the forked run, so that its effects are not repeated.
 *
 * @returns true if it had one.
 * @throws RunNotFoundError when it had one that is gone.
 */
export async function forkInside(
  agent: Agent,
  newId: string,
  { origins, suspended }: InsideOrigin,
  parent: ParentHandle | undefined,
): Promise<boolean> {
  const { store } = agent;
  for (const [index, origin] of origins.entries()) {
    if ((await store.getRun(origin.runId)) === undefined) continue;
    const source = await loadRun(agent, origin.runId);
    const last = cutOf(source.events, suspended, origin.at);
    if (last === undefined) return false;
    const place = { origins: origins.slice(index) as unknown as ForkPlace["origins"], atSeq: last.seq };
    await makeFork(agent, source, place, newId, parent);
    return true;
  }
  const [first] = origins;
  if (suspended !== undefined && first !== undefined) throw new RunNotFoundError(first.runId, store.name);
  return false;
}

/** Last record of an inner run when the outer run was forked: of its question, or any record, such as an intent. */
function cutOf(
  events: readonly JournalEvent[],
  suspended: Suspended | undefined,
  at: number,
): JournalEvent | undefined {
  return suspended?.waits === true
    ? events.filter((event) => event.type === "run.end" && isWaiting(event.status))[suspended.times - 1]
    : events.findLast((event) => event.at <= at);
}

async function makeFork(
  agent: Agent,
  source: LoadedRun,
  place: ForkPlace,
  newId: string,
  parent?: ParentHandle,
): Promise<void> {
  const { store, secrets, owner, keeper } = agent;
  const { start } = source.state;
  const record = await newRecord(agent, newId, {
    definitionHash: start?.definitionHash ?? agent.definitionHash,
    // A branch: the session of the forked run keeps its messages, and other runs of it need not wait.
    sessionId: newId,
    inSession: source.run.inSession,
    tenantId: source.run.tenantId,
    userId: source.run.userId,
    parent,
    input: { $fork: place, input: source.run.input },
  });
  const under = await outerLease(store, parent);
  const made = await store.create(record, { owner, ttlMs: keeper.leaseMs, under });
  const lease = made.lease ?? (await store.acquire(newId, owner, keeper.leaseMs, under));
  if (lease === null) throw new RunBusyError(newId);
  try {
    await store.release(
      await takeOver(agent, lease, { ...place, edits: secrets?.scrub(place.edits) ?? place.edits }, source.events),
      {
        state: "queued",
        // The caller may resume it with other options before a worker drives it with its own.
        dueAt: agent.clock.now() + keeper.leaseMs,
      },
    );
  } catch (thrown) {
    // Without this, the caller does not know the fork's id, and a worker would drive a run that the caller did not
    // request.
    await store.deleteRun(newId).catch(() => undefined);
    throw thrown;
  }
}

/**
 * Gives a fork whose process died while it was made the records that it begins with.
 *
 * @returns the lease after them.
 * @throws RunNotFoundError when the run that it is a fork of is gone.
 */
export async function finishFork(agent: Agent, lease: Lease, place: ForkPlace): Promise<Lease> {
  const { events } = await loadRun(agent, place.origins[0].runId);
  return takeOver(agent, lease, place, events);
}

/** Sends the message first, so that a fork with records is complete. */
async function takeOver(
  agent: Agent,
  lease: Lease,
  { origins, atSeq, message, edits }: ForkPlace,
  events: readonly JournalEvent[],
): Promise<Lease> {
  const { store } = agent;
  const { runId } = lease;
  if (message !== undefined) await sendSignal(agent, runId, message);
  const copied = events.slice(0, atSeq);
  const edited = edits === undefined ? copied : editedRecords(copied, edits);
  const taken = movedRecords(agent, edited, origins[0], runId);
  const codec = createJournalCodec({ ...protectionOf(agent), runId, store });
  const head = await store.append(lease, await codec.encode(taken));
  return { ...lease, head };
}
