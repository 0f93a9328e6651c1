import type { JournalEvent } from "../../contracts/journal-event.ts";
import type { RunInput } from "../../contracts/run-options.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";
import { checkKnownNames } from "../../errors/known-names.ts";
import { RunBusyError } from "../../errors/run-errors.ts";
import { createJournalCodec } from "../../journal/journal-codec.ts";
import { sealValue } from "../../journal/sealed-value.ts";
import type { AgentShared } from "../agent/agent-shared.ts";
import { sendSignal } from "./signals.ts";
import { loadRun, protectionOf } from "../start/load-run.ts";
import { toUserMessage } from "../start/run-input.ts";
import { messageSignal } from "../turn/steering.ts";

/** Where a run is forked, and what is different from there on. */
export interface ForkOptions {
  /** Records up to this one are taken over. */
  readonly atSeq: number;
  /** Changes made to the new run before it goes on. */
  readonly edit?:
    | {
        /** A message that the new run reads next. */
        readonly message?: RunInput | undefined;
      }
    | undefined;
}

/**
 * Makes a new run of the beginning of another; `resume` drives it. Nothing that was recorded is executed again: calls
 * with results keep them, and a writer's intent without outcome stays a question.
 *
 * @throws RunNotFoundError when the store does not have the run.
 * @throws ConfigurationError `INVALID_OPTION` when `atSeq` is not in its journal.
 */
export async function forkRun(
  shared: AgentShared,
  runId: string,
  options: ForkOptions,
): Promise<{ readonly runId: string }> {
  checkKnownNames(options, ["atSeq", "edit"], "fork()");
  checkKnownNames(options.edit, ["message"], "the edit of fork()");
  const { definition, owner, keeper } = shared;
  const { store, ids } = definition;
  const { run: source, events, state } = await loadRun(definition, runId);
  if (!Number.isInteger(options.atSeq) || options.atSeq < 1 || options.atSeq > events.length) {
    throw new ConfigurationError(
      "INVALID_OPTION",
      `Run "${runId}" has records 1 to ${events.length}; "atSeq" ${options.atSeq} is none of them.`,
    );
  }
  const newId = ids.next("run");
  const taken = events.slice(0, options.atSeq).map((event) => moved(event, newId));
  const { start } = state;
  const record = {
    id: newId,
    agentId: definition.name,
    definitionHash: start?.definitionHash ?? definition.definitionHash,
    sessionId: start?.sessionId ?? ids.next("session"),
    tenantId: start?.tenantId,
    userId: start?.userId,
    input: await sealValue(source.input, definition.sealer, ["input", newId]),
  };
  const made = await store.create(record, { owner, ttlMs: keeper.leaseMs });
  const lease = made.lease ?? (await store.acquire(newId, owner, keeper.leaseMs));
  if (lease === null) throw new RunBusyError(newId);
  const codec = createJournalCodec({ ...protectionOf(definition), runId: newId, store });
  const head = await store.append(lease, codec === undefined ? taken : await codec.encode(taken));
  await store.release({ ...lease, head }, { state: "ready" });
  const message = options.edit?.message;
  if (message !== undefined) {
    await sendSignal(
      definition,
      newId,
      messageSignal("input", toUserMessage(message, ids.next("message"), shared.clock.now()), ids.next("signal")),
    );
  }
  return { runId: newId };
}

function moved(event: JournalEvent, runId: string): JournalEvent {
  const { mac: _mac, ...rest } = event;
  return { ...rest, runId };
}
