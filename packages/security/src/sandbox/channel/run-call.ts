import type { SandboxJob, DrivenTier } from "../driver.ts";
import { encodeHostFrame, frameNonce, frameReader } from "../frames.ts";
import type { SandboxFrame, HostFrame } from "../frames.ts";
import {
  codeFailure,
  SandboxOutputExceededError,
  SandboxSpawnFailedError,
  SandboxTimeoutError,
} from "../sandbox-errors.ts";
import type { SandboxEnd, SandboxLink } from "./sandbox-link.ts";
import { endWithoutResult } from "./end-without-result.ts";

/** Time that a call waits for its killed sandbox to end, in milliseconds; then it settles anyway. */
const longestEndMs = 10_000;

/**
 * Runs one call in a sandbox that was started for it alone. The first result, failure, limit or end settles the call;
 * then the sandbox is killed, and when it is gone the promise settles.
 *
 * @param tier - Tier, for error messages.
 * @param link - The sandbox.
 * @param job - The call.
 */
export function runCall(tier: DrivenTier, link: SandboxLink, job: SandboxJob): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let isSettled = false;
    let spokeFirst = false;
    let bytes = 0;
    const settle = (finish: () => void): void => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      job.signal.removeEventListener("abort", onAbort);
      link.kill();
      void gone(link.ended).then(finish);
    };
    const fail = (error: unknown): void => settle(() => reject(error));
    const onAbort = (): void => fail(job.signal.reason);
    const count = (more: number): void => {
      bytes += more;
      if (bytes > job.limits.outputBytes) fail(new SandboxOutputExceededError(tier, job.limits.outputBytes));
    };
    const send = (frame: HostFrame): void => {
      if (!isSettled) link.send(encodeHostFrame(frame));
    };
    const onFrame = (frame: SandboxFrame): void => {
      if (frame.kind === "result") settle(() => resolve(frame.value));
      else if (frame.kind === "error") fail(codeFailure(frame.error));
      else if (!isSettled) void answer(job, frame).then(send);
    };
    const nonce = frameNonce();
    const reader = frameReader({
      nonce,
      // Printed output counts too, so the limit is checked here.
      maxBytes: Infinity,
      onFrame,
      onFlood: () => undefined,
    });
    const timer = setTimeout(() => fail(new SandboxTimeoutError(tier, job.limits.timeoutMs)), job.limits.timeoutMs);
    link.onFrames((piece) => {
      spokeFirst = true;
      count(piece.length);
      reader.push(piece);
    });
    link.onPrinted(count);
    void link.ended.then((end: SandboxEnd) =>
      fail(
        spokeFirst
          ? endWithoutResult(tier, job.limits, end)
          : new SandboxSpawnFailedError(tier, end.lastWords === "" ? `it ended with code ${end.code}` : end.lastWords),
      ),
    );
    job.signal.addEventListener("abort", onAbort, { once: true });
    if (job.signal.aborted) {
      onAbort();
      return;
    }
    const { entry, input, context } = job;
    send({ kind: "start", nonce, module: entry.module.href, export: entry.export, input, context });
  });
}

type CallFrame = Extract<SandboxFrame, { readonly kind: "call" }>;

/** The host's answer to a call from inside. */
async function answer({ hostCalls }: SandboxJob, { id, name, args }: CallFrame): Promise<HostFrame> {
  try {
    const called = Object.hasOwn(hostCalls, name) ? hostCalls[name] : undefined;
    if (called === undefined) throw new TypeError(`There is no "${name}" to be called here.`);
    return { kind: "answer", id, value: (await called(args)) ?? null };
  } catch (error) {
    return { kind: "refusal", id, message: error instanceof Error ? error.message : String(error) };
  }
}

/** A sandbox that the machine cannot end does not block the call forever. */
async function gone(ended: Promise<SandboxEnd>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, longestEndMs);
  });
  await Promise.race([ended, patience]);
  clearTimeout(timer);
}
