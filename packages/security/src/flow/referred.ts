import type { FlowState } from "./flow-state.ts";
import { joinLevels } from "./lattice.ts";
import type { Level } from "./lattice.ts";
import { leavesOf } from "./leaves.ts";
import type { Leaf } from "./leaves.ts";
import { callBehind } from "./call-behind.ts";
import { callOfReference, mentionsReference, referencePrefix } from "./reference-text.ts";

/** What some arguments stand for without the model having read it. */
export interface Referred {
  readonly reference: string;
  /** The tool that returned it; `undefined` when no such call is known. */
  readonly toolName: string | undefined;
  readonly level: Level;
}

/** [quarantine.boundary] What the references in some arguments stand for. */
function referredBy(args: unknown, state: FlowState): readonly Referred[] {
  // Arguments that did not validate are kept as the text that the model wrote.
  if (typeof args === "string") return referredInText(args, state);
  // Only speed: nearly no arguments hold one.
  if (!mentionsReference(args)) return none;
  return referredIn(leavesOf(args), state);
}

function referredInText(text: string, state: FlowState): readonly Referred[] {
  const named = (text.match(anywhere) ?? none).map((reference) => referred(reference, state));
  try {
    // Names may be written with escapes, which the tool's arguments no longer have.
    return [...named, ...referredIn(leavesOf(JSON.parse(text)), state)];
  } catch {
    return named;
  }
}

/** What the references among some leaves of arguments stand for. */
export function referredIn(leaves: readonly Pick<Leaf, "value">[], state: FlowState): readonly Referred[] {
  let found: Referred[] | undefined;
  for (const { value } of leaves) {
    // Only speed: nearly no leaf is one.
    if (typeof value !== "string" || !value.startsWith(referencePrefix)) continue;
    if (callOfReference(value) === undefined) continue;
    (found ??= []).push(referred(value, state));
  }
  return found ?? none;
}

const none: readonly never[] = [];
const anywhere = /\$ref:(?:r\d+\.)?t\d+\/c\d+/gu;

/** What one reference stands for: as the call that returned it is labelled, or as somebody vouched for this value. */
export function referred(reference: string, state: FlowState): Referred {
  const call = callBehind(callOfReference(reference), state);
  const label = state.quarantine.endorsed.get(reference) ?? call?.label;
  // What nobody knows yet may become anything by the time it is expanded: no node explains it, so it counts as the worst.
  const level = state.graph.levelOf(String(label));
  return { reference, toolName: call?.toolName, level };
}

/** A level with all that some arguments stand for: what a tool makes of them is no better. */
export function withReferred(level: Level, args: unknown, state: FlowState): Level {
  return referredBy(args, state).reduce((joined, one) => joinLevels(joined, one.level, state.graph.sets), level);
}
