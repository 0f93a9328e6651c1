import type { Claim, ClaimRequest, CreatedRun, Lease, LeaseHolder } from "@bailiwick/core";
import type { FormerWrite, TakenLease } from "../checker/recorded-history.ts";
import type { StoreCallDone } from "../components/store-component.ts";
import type { World } from "../world/world.ts";

/** The leases of a world, as its processes were given them. */
export interface LeaseObserver {
  readonly onDone: (call: StoreCallDone) => void;
  readonly takenLeases: readonly TakenLease[];
  readonly formerWrites: readonly FormerWrite[];
}

/** The process that holds a run, and the end of its lease by the store's clock. */
interface Holder {
  readonly process: string;
  readonly epoch: number;
  readonly until: number;
}

/**
 * Observes leases: who takes one over and when, and who writes under one that another process has taken.
 *
 * @param world - The world.
 * @param nameOf - The name of a run in sentences.
 * @param isInner - True for a run inside a call of another run.
 */
export function observeLeases(
  world: World,
  nameOf: (runId: string) => string,
  isInner: (runId: string) => boolean,
): LeaseObserver {
  const holders = new Map<string, Holder>();
  const epochs = new Map<string, { readonly epoch: number; readonly process: string }>();
  const takenLeases: TakenLease[] = [];
  const formerWrites: FormerWrite[] = [];

  /** `isGone` is true if the process knows that the former holder has ended. */
  const hold = (process: string, { runId, epoch }: Lease, ttlMs: number, isGone = false): void => {
    const from = holders.get(runId);
    if (from !== undefined) {
      const leftMs = Math.floor(from.until - world.time);
      // A takeover of the outer run ends the leases of the runs inside its calls.
      const isEarly = leftMs > 1 && !isGone && !isInner(runId);
      takenLeases.push({ at: world.time, runId, from: from.process, to: process, ...(isEarly && { leftMs }) });
      world.tell(process, `takes ${nameOf(runId)} over from ${from.process}.`);
    }
    holders.set(runId, { process, epoch, until: world.time + ttlMs });
    epochs.set(runId, { epoch, process });
  };
  const write = (process: string, { runId, epoch }: Lease): void => {
    const newest = epochs.get(runId);
    if (newest !== undefined && newest.epoch > epoch)
      formerWrites.push({ at: world.time, runId, by: process, holder: newest.process });
  };

  const renew = (
    process: string,
    answer: readonly { readonly runId: string; readonly held: boolean }[],
    ttlMs: number,
  ): void => {
    for (const { runId, held } of answer) {
      const holder = holders.get(runId);
      if (held && holder?.process === process) holders.set(runId, { ...holder, until: world.time + ttlMs });
    }
  };

  const onDone = ({ process, operation, args, answer }: StoreCallDone): void => {
    if (operation === "create") {
      const { lease } = answer as CreatedRun;
      if (lease !== undefined) hold(process, lease, (args[1] as LeaseHolder | undefined)?.ttlMs ?? 0);
    }
    if (operation === "acquire" && answer !== null)
      hold(process, answer as Lease, args[2] as number, args[4] !== undefined);
    if (operation === "claim")
      for (const { lease } of (answer as Claim).runs) hold(process, lease, (args[0] as ClaimRequest).ttlMs);
    if (operation === "renew") renew(process, answer as Parameters<typeof renew>[1], args[1] as number);
    if (operation === "release" || operation === "append") write(process, args[0] as Lease);
    if (operation === "release") holders.delete((args[0] as Lease).runId);
  };
  return { onDone, takenLeases, formerWrites };
}
