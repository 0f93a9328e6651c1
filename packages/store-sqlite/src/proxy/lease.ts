import type { Lease } from "@bailiwick/core/store";
import type { GivenLease, Held } from "../thread/service.ts";

export function toHeld({ runId, owner, epoch, head }: Lease): Held {
  return { runId, owner, epoch, seq: head.seq, hash: head.hash };
}

export function toLease({ runId, owner, epoch, seq, hash, expiresAt }: GivenLease): Lease {
  return { runId, owner, epoch, head: { seq, hash }, expiresAt };
}
