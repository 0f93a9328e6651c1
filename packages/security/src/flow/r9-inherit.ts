import type { FlowRun, Label, Readers } from "@bailiwick/core";

import type { FlowState } from "./flow-state.ts";
import { integrities, integrityOf, joinLevels, trustOf } from "./lattice.ts";
import type { Level, ReaderSets } from "./lattice.ts";
import { withReferred } from "./reference-text.ts";

/** [flow.r9] The level that a label carries over to another run: no leaf of it spares the control label there. */
export function parentLevel(label: NotedRead, sets: ReaderSets): Level {
  const trust = trustOf(label);
  return { integrity: trust, control: trust, readers: sets.intern(label.readers) };
}

/** Parts of a label that count in another run. */
export type NotedRead = NonNullable<Parameters<FlowRun["controlLabel"]>[1]>[number];

/** The worst label: untrusted, with no readers. */
const unreadable: NotedRead = { integrity: "untrusted", readers: [] };

/** The labels of earlier runs of the session, from its state [flow.r9]. */
export function notedReads(state: Readonly<Record<string, unknown>>): readonly NotedRead[] {
  return Object.keys(state)
    .filter((key) => key.startsWith("bailiwick:read:"))
    .map((key) => {
      const { integrity, readers, assumed } = (state[key] ?? {}) as Partial<NotedRead>;
      const known = integrities.find((one) => one === integrity);
      return known === undefined || !isReaders(readers) ? unreadable : { integrity: known, readers, assumed };
    });
}

function isReaders(readers: unknown): readers is Readers {
  return readers === "public" || (Array.isArray(readers) && readers.every((each) => typeof each === "string"));
}

/**
 * The join over the run's input, the references of a call, and what the call has read: a child run, a memory or a cache
 * carries it on [flow.r9].
 */
export function controlLabel(state: FlowState, toolCallId?: string, read: readonly NotedRead[] = []): Label {
  const { sets } = state.graph;
  let level = controlLevel(state, toolCallId);
  for (const label of read) level = joinLevels(level, parentLevel(label, sets), sets);
  return asLabel(level, state);
}

/** The level of {@link controlLabel}. */
export function controlLevel(state: FlowState, toolCallId: string | undefined): Level {
  let args: unknown;
  if (toolCallId !== undefined) args = state.callsById.get(toolCallId)?.args;
  return withReferred(state.context.level, args, state);
}

/** A level that depends on the run's input, as a label. */
export function asLabel(level: Level, state: FlowState): Label {
  const context = state.context.label();
  const id = state.graph.add(level, { kind: "join" }, [context]);
  const { integrity, readers } = level;
  // A label that every run knows has no node, and its level is never assumed.
  return (
    state.graph.labelOf(id) ?? {
      id,
      integrity: integrityOf(integrity),
      readers: state.graph.sets.readersOf(readers),
      parents: [],
      origin: { kind: "join" },
    }
  );
}
