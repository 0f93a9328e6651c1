import { SimulationError } from "../simulation-error.ts";

/** Kinds of faults that last for a time. */
const timed = ["pause", "pauseAfter", "late", "away", "clock"] as const;
/** Kinds of faults without a duration. */
const instant = ["die", "dieAfter", "lost", "lostWakeUp", "full", "upgrade"] as const;

/** Kind of a fault. */
export type FaultKind = (typeof timed)[number] | (typeof instant)[number];

/** Every kind of fault. */
export const faultKinds: readonly FaultKind[] = [...timed, ...instant];

/** A fault: its kind, and its duration in milliseconds where it lasts, such as `die` or `pauseAfter:5000`. */
export type Fault = (typeof instant)[number] | `${(typeof timed)[number]}:${number}`;

/** A fault in two parts. */
export interface FaultParts {
  readonly kind: FaultKind;
  /** Milliseconds; 0 for a kind without a duration. */
  readonly ms: number;
}

/** @throws SimulationError `HISTORY_INVALID` */
export function faultParts(fault: string): FaultParts {
  const [kind = "", ms, ...more] = fault.split(":");
  const isTimed = (timed as readonly string[]).includes(kind);
  const isInstant = (instant as readonly string[]).includes(kind);
  const isDuration = ms !== undefined && /^-?\d+(?:\.\d+)?$/.test(ms);
  if (more.length === 0 && (isTimed ? isDuration : isInstant && ms === undefined))
    return { kind: kind as FaultKind, ms: Number(ms ?? 0) };
  throw new SimulationError(
    "HISTORY_INVALID",
    isTimed
      ? `The fault "${fault}" needs a duration in milliseconds, such as "${kind}:5000".`
      : `"${fault}" is not a fault. The kinds are ${faultKinds.join(", ")}; write a duration in milliseconds after ${timed.join(", ")}, such as "pauseAfter:5000".`,
  );
}

/** Writes a fault. */
export function faultOf(kind: FaultKind, ms: number): Fault {
  return (timed as readonly string[]).includes(kind) ? (`${kind}:${Math.round(ms)}` as Fault) : (kind as Fault);
}
