import type { JournalEventOf, LabelId } from "@bailiwick/core";

/** What a run has read of its quarantined values, and who vouched for which: a part of the fold over its journal. */
export interface QuarantineState {
  /** Readings by the tool call that asked for them. */
  readonly readings: Map<string, Reading>;
  /** References that somebody vouched for, with their label since. */
  readonly endorsed: Map<string, LabelId>;
  /** Bits that readings cost, those of runs inside this one included. */
  bits: number;
  /** Bits of the runs inside, by run. */
  readonly inside: Map<string, number>;
}

/** One reading: what it costs is spent when it begins; its answer is kept for a run that is resumed. */
export interface Reading {
  readonly ref: string;
  readonly bits: number;
  answer?: string;
}

/** The state of a run that has read nothing. */
export function emptyQuarantine(): QuarantineState {
  return new Quarantine();
}

/** A class, because there is one for every run, and most read nothing. */
class Quarantine implements QuarantineState {
  bits = 0;
  #readings: Map<string, Reading> | undefined;
  #endorsed: Map<string, LabelId> | undefined;
  #inside: Map<string, number> | undefined;

  get readings(): Map<string, Reading> {
    return (this.#readings ??= new Map());
  }

  get endorsed(): Map<string, LabelId> {
    return (this.#endorsed ??= new Map());
  }

  get inside(): Map<string, number> {
    return (this.#inside ??= new Map());
  }
}

/** Books what a reading costs. */
export function foldExtract(state: QuarantineState, event: JournalEventOf<"flow.extract">): void {
  state.bits += event.bits;
  if (event.childRunId !== undefined) {
    state.inside.set(event.childRunId, (state.inside.get(event.childRunId) ?? 0) + event.bits);
    return;
  }
  state.readings.set(event.toolCallId, { ref: event.ref, bits: event.bits });
}

/** Keeps the answer of a reading. */
export function foldReadingAnswer(state: QuarantineState, event: JournalEventOf<"model.result">): void {
  const reading = state.readings.get(event.toolCallId as string);
  if (reading === undefined) return;
  reading.answer = event.message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** Remembers what somebody vouched for; a person's approval holds for its call alone. */
export function foldLowered(state: QuarantineState, event: JournalEventOf<"flow.lowered">): void {
  if (event.by === "endorse") state.endorsed.set(event.subject, event.label);
}
