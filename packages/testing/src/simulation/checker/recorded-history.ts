import type { Decision, InterruptionData, JournalEvent } from "@bailiwick/core";
import type { Effect, EffectRequest, OpenCall } from "../components/effects.ts";

/** A run of a history, as its store has it at the end. */
export interface RecordedRun {
  /** Id of the run. */
  readonly id: string;
  /** State in the store, such as `completed`. */
  readonly state: string;
  /** The run that has this one inside a call. */
  readonly parentId?: string | undefined;
  /** Tenant of the run. */
  readonly tenantId?: string | undefined;
  /** Text of its input. */
  readonly input?: string | undefined;
  /** Records of its journal, in order. */
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
  /** The question, by its run and call. */
  readonly question: Pick<InterruptionData, "kind" | "runId" | "toolCallId" | "toolName">;
  /** The decision of the person. */
  readonly decision: Decision;
}

/** A lease that one process took while another one held it. */
export interface TakenLease {
  /** Virtual time at which it was taken, in milliseconds. */
  readonly at: number;
  /** Run of the lease. */
  readonly runId: string;
  /** Process that held it. */
  readonly from: string;
  /** Process that took it. */
  readonly to: string;
  /** Time that was left of the lease, in milliseconds, if it had not expired and its holder was not known to be gone. */
  readonly leftMs?: number | undefined;
}

/** A write under a lease that another process had taken over before. */
export interface FormerWrite {
  /** Virtual time of the write, in milliseconds. */
  readonly at: number;
  /** Run of the lease. */
  readonly runId: string;
  /** Process that wrote. */
  readonly by: string;
  /** Process that held the lease. */
  readonly holder: string;
}

/** An effect that the same work has without faults. */
export interface ExpectedEffect extends Pick<Effect, "name" | "id"> {
  /** Runs of which one has to make it; empty if they are not known. */
  readonly runIds: readonly string[];
}

/** A page at the end of a history. */
export interface RecordedPage {
  /** Name of the page. */
  readonly name: string;
  /** Texts of the messages that it shows. */
  readonly shown: readonly string[];
  /** Texts of the messages that the model read, or wrote, in the same conversation. */
  readonly read: readonly string[];
  /** Texts that the user sent. */
  readonly sent: readonly string[];
  /** Error that it shows. */
  readonly error?: string | undefined;
  /** Effects that its conversation made, and that it does not show. */
  readonly unseenEffects?: readonly string[] | undefined;
  /** Size of its largest request without the new message, and the limit, in characters. */
  readonly request?: { readonly size: number; readonly limit: number } | undefined;
}

/** Everything that the checker judges. */
export interface RecordedHistory {
  /** True if the history has no faults. */
  readonly isFaultless: boolean;
  /** All runs that the store has. */
  readonly runs: readonly RecordedRun[];
  /** Requests that the receivers got, in order. */
  readonly effects: readonly EffectRequest[];
  /** Effects of the same work without faults. */
  readonly expected?: readonly ExpectedEffect[] | undefined;
  /** Answers of people, in order. */
  readonly answers?: readonly RecordedAnswer[] | undefined;
  /** Calls that got an error of the connection from a receiver. */
  readonly failedCalls?: readonly OpenCall[] | undefined;
  /** Leases that changed their holder before they expired. */
  readonly takenLeases?: readonly TakenLease[] | undefined;
  /** Writes of processes that no longer held the lease. */
  readonly formerWrites?: readonly FormerWrite[] | undefined;
  /** Pages at the end. */
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
