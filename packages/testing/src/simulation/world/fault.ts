import { SimulationError } from "../simulation-error.ts";

/** Kinds of faults that last for a time. */
const timed = ["pause", "pauseAfter", "late", "away", "clock"] as const;
/** Kinds of faults without a duration. */
const instant = ["die", "dieAfter", "lost", "lostWakeUp", "full", "upgrade"] as const;
/** Actions of a user that name a text by its number. */
const textual = ["send", "attach", "edit"] as const;
/** Other actions of a user. */
const plain = [
  "regenerate",
  "retry",
  "stop",
  "reload",
  "approve",
  "reject",
  "approveElsewhere",
  "rejectElsewhere",
] as const;

/** An action of the user of a simulated page. */
export type PageAction = (typeof textual)[number] | (typeof plain)[number];

/** Every action of the user of a simulated page. */
export const pageActions: readonly PageAction[] = [...textual, ...plain];

/** True for an action that names a text. */
export function hasText(action: string): boolean {
  return (textual as readonly string[]).includes(action);
}

/** Kind of a fault, or the action of a user. */
export type FaultKind = (typeof timed)[number] | (typeof instant)[number] | PageAction;

/** Every kind of fault. */
export const faultKinds: readonly FaultKind[] = [...timed, ...instant];

const counted: readonly string[] = [...timed, ...textual];
const single: readonly string[] = [...instant, ...plain];

/**
 * A fault: its kind, and its duration in milliseconds where it lasts, such as `die` or `pauseAfter:5000`; or an action of a
 * user, such as `reload`, or `send:0` with the number of a text.
 */
export type Fault =
  | (typeof instant)[number]
  | (typeof plain)[number]
  | `${(typeof timed)[number] | (typeof textual)[number]}:${number}`;

/** A fault in two parts. */
export interface FaultParts {
  readonly kind: FaultKind;
  /** Milliseconds; 0 for a kind without a duration. */
  readonly ms: number;
}

/** @throws SimulationError `HISTORY_INVALID` */
export function faultParts(fault: string): FaultParts {
  const [kind = "", ms, ...more] = fault.split(":");
  const isTimed = counted.includes(kind);
  const isInstant = single.includes(kind);
  const isDuration = ms !== undefined && /^-?\d+(?:\.\d+)?$/.test(ms);
  if (more.length === 0 && (isTimed ? isDuration : isInstant && ms === undefined))
    return { kind: kind as FaultKind, ms: Number(ms ?? 0) };
  throw new SimulationError(
    "HISTORY_INVALID",
    isTimed
      ? `The fault "${fault}" needs ${hasText(kind) ? `the number of a text, such as "${kind}:0"` : `a duration in milliseconds, such as "${kind}:5000"`}.`
      : `"${fault}" is not a fault. The kinds are ${faultKinds.join(", ")}; write a duration in milliseconds after ${timed.join(", ")}, such as "pauseAfter:5000".`,
  );
}

/** Writes a fault. */
export function faultOf(kind: FaultKind, ms: number): Fault {
  return counted.includes(kind) ? (`${kind}:${Math.round(ms)}` as Fault) : (kind as Fault);
}
