import type { Decision, InterruptionData, JournalEvent } from "@bailiwick/core";
import type { Effect, EffectRequest, OpenCall } from "../components/effects.ts";

/** A run of a history, as its store has it at the end. */
export interface RecordedRun {
  readonly id: string;
  /** State in the store, such as `completed`. */
  readonly state: string;
  /** The run that has this one inside a call. */
  readonly parentId?: string | undefined;
  readonly tenantId?: string | undefined;
  /** Text of its input. */
  readonly input?: string | undefined;
  readonly records: readonly JournalEvent[];
  /** Problem that the audit of its journal found. */
  readonly auditProblem?: string | undefined;
  /** Most turns that its agent allows. */
  readonly maxTurns?: number | undefined;
}

/** An answer of a person. */
export interface RecordedAnswer {
  /** Virtual time of the answer, in milliseconds. */
  readonly at: number;
  readonly question: Pick<InterruptionData, "kind" | "runId" | "toolCallId" | "toolName">;
  readonly decision: Decision;
}

/** A lease that one process took while another one held it. */
export interface TakenLease {
  readonly at: number;
  readonly runId: string;
  readonly from: string;
  readonly to: string;
}

/** An effect that the same work has without faults. */
export interface ExpectedEffect extends Pick<Effect, "name" | "id"> {
  /** Runs of which one has to make it; empty if they are not known. */
  readonly runIds: readonly string[];
}

/** A page at the end of a history. */
export interface RecordedPage {
  readonly name: string;
  /** Texts of the messages that it shows. */
  readonly shown: readonly string[];
  /** Texts of the messages that the model read, or wrote, in the same conversation. */
  readonly read: readonly string[];
  /** Texts that the user sent. */
  readonly sent: readonly string[];
  /** Error that it shows. */
  readonly error?: string | undefined;
}

/** Everything that the checker judges. */
export interface RecordedHistory {
  /** True if the history has no faults. */
  readonly isFaultless: boolean;
  readonly runs: readonly RecordedRun[];
  readonly effects: readonly EffectRequest[];
  readonly expected?: readonly ExpectedEffect[] | undefined;
  readonly answers?: readonly RecordedAnswer[] | undefined;
  /** Calls that got an error of the connection from a receiver. */
  readonly failedCalls?: readonly OpenCall[] | undefined;
  readonly takenLeases?: readonly TakenLease[] | undefined;
  readonly pages?: readonly RecordedPage[] | undefined;
}

/** Name of a promise. */
export type PromiseName =
  | "effects"
  | "work"
  | "ends"
  | "host"
  | "journal"
  | "page"
  | "tenants"
  | "limits"
  | "application";

/** A promise that a history broke. */
export interface BrokenPromise {
  /** Such as `effects`. */
  readonly promise: PromiseName;
  /** A sentence that says what happened. */
  readonly text: string;
  /** The records and requests that prove it. */
  readonly proof: readonly unknown[];
}
