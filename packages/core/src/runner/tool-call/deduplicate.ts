import { id } from "../../errors/id-check.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import type { Ledger, LedgerKey, LedgerRow } from "../../contracts/ports/ledger.ts";
import type { ResolvedTool } from "../../contracts/resolved-tool.ts";
import { ownCopy } from "../../user-code/copies.ts";
import { sealedLedger } from "../../journal/sealed-ledger.ts";
import { fail, finish, isSettled, toolOf, type KeyUse, type OutcomeFields, type PipelineCall } from "./call.ts";
import { askUserCode } from "../../user-code/call-user-code.ts";
import { reportFailure, reasonOf } from "../hooks/hook-failures.ts";
import { decidingTimeoutMs, limitsOf } from "../hooks/hooks-runner.ts";
import { toolContext } from "./tool-context.ts";
import { waitForKey, type KeyWait } from "./held-key.ts";

/**
 * Finds the result of an earlier call: by idempotency key, or in a reader's cache.
 *
 * @returns `undefined` if the call has its outcome now, or waits.
 */
export async function keyFor(call: PipelineCall): Promise<KeyUse | undefined> {
  const tool = toolOf(call);
  if (tool.idempotencyKey !== undefined) return useKey(call);
  return tool.cache === undefined ? {} : readCache(call, tool.cache);
}

/** Uses the journaled idempotency key of a call that ran before, so that it is the same in every attempt. */
async function useKey(call: PipelineCall): Promise<KeyUse | undefined> {
  const key = call.state.intent?.idempotencyKey ?? (await makeKey(call));
  if (key instanceof Error) {
    reportFailure(call.run, `idempotencyKey of ${call.toolName}`, key, "The call is refused.");
    const message = `The idempotencyKey function of "${call.toolName}" failed (${reasonOf(call, key)}), so nothing ran.`;
    fail(call, "execution_failed", message, { code: "IDEMPOTENCY_KEY_FAILED" });
    return undefined;
  }
  return key === undefined ? {} : reserve(call, key);
}

/** The key that the tool returns for this call now; an error if its function fails or returns no text. */
export async function makeKey(call: PipelineCall): Promise<string | Error | undefined> {
  const { idempotencyKey } = toolOf(call);
  const { run } = call;
  if (idempotencyKey === undefined) return undefined;
  if (idempotencyKey === "call") return run.agent.hasher.sha256(`${run.runId}\n${call.key}`);
  const limits = limitsOf(run, "idempotencyKey", decidingTimeoutMs);
  const given = await askUserCode<unknown>(() => idempotencyKey(ownCopy(call.input), toolContext(call)), limits);
  if (!given.ok) return given.error;
  const { value: key } = given;
  const { secrets, hasher } = run.agent;
  if (typeof key !== "string" || id(key) !== undefined) return new TypeError("it returned no well-formed text");
  // A journaled key is reused unchanged: a key with a secret would differ after a resume.
  return secrets?.holdsSecret(key) === true ? hasher.sha256(key) : key;
}

/** Reserves the key for this call, or ends it with the result that is stored under it. A call's own key is unique. */
async function reserve(call: PipelineCall, idempotencyKey: string): Promise<KeyUse | undefined> {
  const tool = toolOf(call);
  if (tool.idempotencyKey === "call") return { idempotencyKey };
  const key: LedgerKey = {
    kind: "idempotency",
    scope: scopeOf(call, tool.idempotencyScope),
    toolName: call.toolName,
    // Keys are made from arguments: they are hashed in the store, equally with and without keys.seal.
    key: call.run.agent.hasher.sha256(idempotencyKey),
  };
  for (const other of call.batch.calls) {
    if (other === call) break;
    const { phase, permit } = other;
    if (phase === "finished" || permit?.reserved === undefined || !isSameKey(permit.reserved, key)) continue;
    // The earlier call of this turn runs first; its outcome decides about this one.
    return { idempotencyKey, reserved: key, waitsFor: other };
  }
  return claim(call, key, idempotencyKey);
}

function isSameKey(a: LedgerKey, b: LedgerKey): boolean {
  return a.scope === b.scope && a.toolName === b.toolName && a.key === b.key;
}

/** Reserves a key, and waits while another call holds it. */
async function claim(call: PipelineCall, key: LedgerKey, idempotencyKey: string): Promise<KeyUse | undefined> {
  let wait: KeyWait | undefined;
  while (!isSettled(call)) {
    const held = await reserveRow(call, key);
    if (held === undefined) {
      await wait?.settle(idempotencyKey);
      return isSettled(call) ? undefined : { idempotencyKey, reserved: key };
    }
    if (held.inputHash !== call.argsHash) conflict(call);
    else if (held.state === "done") {
      const { forUser } = held.outcome as KeptOutcome;
      if (forUser === call.run.context.userId) finish(call, deduplicatedFrom(held.outcome));
      else ofOtherUser(call);
    } else if (call.batch.stopped === undefined) {
      wait ??= waitForKey(call, key);
      const earlier = await wait.look(held);
      if (earlier !== undefined) return { idempotencyKey, reserved: key, waitsFor: earlier };
    } else
      fail(
        call,
        "aborted",
        `The run was stopped while "${call.toolName}" waited for another call of the same idempotency key. Nothing ran.`,
      );
  }
  return undefined;
}

/** Reserves a key; returns the row of the call that has it. */
async function reserveRow(call: PipelineCall, key: LedgerKey): Promise<LedgerRow | undefined> {
  const { run } = call;
  const claimed = await keptResults(call).reserve({
    ...key,
    state: "reserved",
    runId: run.runId,
    callKey: call.key,
    inputHash: call.argsHash,
    expiresAt: run.clock.now() + toolOf(call).idempotencyTtlMs,
  });
  return claimed.reserved ? undefined : claimed.row;
}

/**
 * Decides about a call that waited for an earlier one with the same key in its turn: it gets that one's result, or takes
 * the key if that one failed.
 */
export async function followEarlier(call: PipelineCall): Promise<void> {
  const { permit } = call;
  if (permit?.waitsFor === undefined || permit.reserved === undefined || permit.idempotencyKey === undefined) return;
  const { waitsFor: earlier, reserved: key, idempotencyKey, ...rest } = permit;
  const { outcome } = earlier.state;
  call.permit = { ...rest, idempotencyKey };
  if (earlier.argsHash !== call.argsHash) return conflict(call);
  if (outcome !== undefined && outcome.failure === undefined) return finish(call, deduplicatedFrom(outcome));
  const use = await claim(call, key, idempotencyKey);
  if (use !== undefined) call.permit = { ...rest, ...use };
}

function conflict(call: PipelineCall): void {
  fail(
    call,
    "execution_failed",
    `"${call.toolName}" ran before with the same idempotency key and other arguments, so nothing ran now. Another operation needs another key.`,
    { code: "IDEMPOTENCY_CONFLICT", recoverable: false, recoveryHint: "check_input" },
  );
}

/** The result may hold data of the other user, and the checks in `execute` did not run for this one. */
function ofOtherUser(call: PipelineCall): void {
  fail(
    call,
    "execution_failed",
    `"${call.toolName}" ran before with the same idempotency key for another user, so nothing ran now. If each user may do this, put the user into the key.`,
    { code: "IDEMPOTENCY_OTHER_USER", recoverable: false, recoveryHint: "report_to_user" },
  );
}

/** An outcome in the ledger, with the user whose call it was. */
interface KeptOutcome extends ReturnType<typeof keptFields> {
  readonly forUser?: string | undefined;
}

function deduplicatedFrom(outcome: unknown): OutcomeFields {
  return { ...keptFields(outcome), deduplicated: true, durationMs: 0 };
}

/** The fields of an outcome that another call may get. */
function keptFields(outcome: unknown): Pick<OutcomeFields, "output" | "contentParts" | "details" | "resultLabel"> {
  const { output, contentParts, details, resultLabel } = outcome as OutcomeFields;
  return { output, contentParts, details, resultLabel };
}

async function readCache(call: PipelineCall, cache: NonNullable<ResolvedTool["cache"]>): Promise<KeyUse | undefined> {
  const { run } = call;
  const key: LedgerKey = {
    kind: "cache",
    scope: scopeOf(call, cache.scope ?? "user"),
    toolName: call.toolName,
    key: run.agent.hasher.sha256(`${toolOf(call).__definitionHash}\n${canonicalJson(call.args)}`),
  };
  const row = await keptResults(call).get(key);
  if (row?.state !== "done" || row.expiresAt <= run.clock.now()) return { cacheKey: key };
  finish(call, { ...keptFields(row.outcome), cached: true, durationMs: 0 });
  return undefined;
}

/** The ledger, with sealed results if there is a key. */
function keptResults({ run }: PipelineCall): Ledger {
  return sealedLedger(run.agent.ledger, run.agent.sealer);
}

/** Scope of shared results. The tenant is part of every scope; without a user, nothing is shared between sessions. */
function scopeOf(call: PipelineCall, scope: "run" | "session" | "user" | "tenant"): string {
  const { tenantId, userId, sessionId } = call.run.context;
  const tenant = `tenant:${encodeURIComponent(tenantId ?? "")}`;
  // The outcome of a fake does not count for a real call, nor for another conversation.
  if (call.run.options.fakes !== undefined) return `${tenant}/fakes:${encodeURIComponent(sessionId)}`;
  switch (scope) {
    case "tenant":
      return tenant;
    case "run":
      return `${tenant}/run:${encodeURIComponent(call.run.runId)}`;
    case "user":
      if (userId !== undefined) return `${tenant}/user:${encodeURIComponent(userId)}`;
      return `${tenant}/session:${encodeURIComponent(sessionId)}`;
    case "session":
      return `${tenant}/session:${encodeURIComponent(sessionId)}`;
    default:
      return scope satisfies never;
  }
}

/** The ledger's entry of an outcome, written with its record. */
export function ledgerRows(call: PipelineCall, outcome: OutcomeFields): readonly LedgerRow[] {
  const { reserved, cacheKey } = call.permit ?? {};
  if (outcome.failure !== undefined || (reserved === undefined && cacheKey === undefined)) return [];
  const tool = toolOf(call);
  const now = call.run.clock.now();
  const { userId } = call.run.context;
  const common = {
    state: "done" as const,
    runId: call.run.runId,
    callKey: call.key,
    inputHash: call.argsHash,
    outcome: { ...keptFields(outcome), forUser: userId } satisfies KeptOutcome,
  };
  const rows: LedgerRow[] = [];
  if (reserved !== undefined) rows.push({ ...reserved, ...common, expiresAt: now + tool.idempotencyTtlMs });
  if (cacheKey !== undefined && tool.cache !== undefined)
    rows.push({ ...cacheKey, ...common, expiresAt: now + tool.cache.ttlMs });
  return rows;
}

/** Frees a reserved key if the call failed: the next call with the key may try again. */
export function releaseKey(call: PipelineCall): void {
  const { reserved: key, waitsFor } = call.permit ?? {};
  if (key === undefined || waitsFor !== undefined) return;
  call.run.agent.ledger.release(key, call.run.runId).catch((error: unknown) => {
    call.run.logger.warn(
      `The idempotency key of "${call.toolName}" could not be given back; it is kept until it expires.`,
      { error },
    );
  });
}
