import type { Clock } from "../contracts/ports/clock.ts";
import type { Lease } from "../contracts/ports/run-store.ts";

/** A moment by two clocks: one may have stopped, and the other may have been set. */
export interface Instant {
  /** Milliseconds since the epoch, by the agent's clock. */
  readonly wall: number;
  /** Milliseconds by the monotonic clock of the process. */
  readonly steady: number;
}

export function instantOf(clock: Clock): Instant {
  return { wall: clock.now(), steady: performance.now() };
}

/** Milliseconds since a moment: the longer time of both clocks. A wall clock that was set back tells nothing. */
export function msSince(then: Instant, clock: Clock): number {
  const now = instantOf(clock);
  const wall = now.wall - then.wall;
  return wall >= 0 ? Math.max(wall, now.steady - then.steady) : Number.POSITIVE_INFINITY;
}

/** The moments at which granted leases were asked for, by lease. */
const askedAt = new WeakMap<Lease, Instant>();

/**
 * Asks a store for a lease and notes when: it counts from then, however late the answer arrives.
 *
 * @param ask - Sends the request.
 * @param leaseOf - The lease in the answer, if it was granted.
 */
export async function askForLease<Answer>(
  clock: Clock,
  ask: () => Promise<Answer>,
  leaseOf: (answer: Answer) => Lease | null | undefined,
): Promise<Answer> {
  const asked = instantOf(clock);
  const answer = await ask();
  noteAsked(leaseOf(answer), asked);
  return answer;
}

/** Notes when a lease was asked for; without it, the lease is proven by a renewal. */
export function noteAsked(lease: Lease | null | undefined, asked: Instant | undefined): void {
  if (lease !== null && lease !== undefined && asked !== undefined) askedAt.set(lease, asked);
}

/** Leases that another process may take before they expire. */
const takeable = new WeakSet<Lease>();

/** Notes that another process may take a lease before it expires: no time proves it. */
export function noteTakeable(lease: Lease): void {
  takeable.add(lease);
}

/** True if only the store can prove a lease. */
export function isTakeable(lease: Lease): boolean {
  return takeable.has(lease);
}

export function whenAsked(lease: Lease): Instant | undefined {
  return askedAt.get(lease);
}
