import { isEnded, type RunStore, type StoredRun } from "@bailiwick/core";

/** Kinds of events that a webhook gets. */
export type WebhookEventType =
  | "run.suspended"
  | "run.completed"
  | "run.stopped"
  | "run.cancelled"
  | "run.failed"
  | "run.stuck";

/** An event about a run. It has no content: the receiver reads it with its own rights. */
export interface WebhookEvent {
  /** Name of the event, such as `run.suspended`. */
  readonly type: WebhookEventType;
  /** Time at which the run suspended, ended or became stuck, in ISO 8601. */
  readonly timestamp: string;
  /** The run that the event is about. */
  readonly data: {
    readonly runId: string;
    readonly agentName: string;
    readonly sessionId: string;
    readonly tenantId?: string | undefined;
    readonly userId?: string | undefined;
    /** Grows each time the run is driven: of two events of one run, the one with the larger number is newer. */
    readonly epoch: number;
    /** The reason why the run ended or waits. */
    readonly stopReason?: string | undefined;
    /** Ids of the interruptions that the run waits on. */
    readonly interruptionIds?: readonly string[] | undefined;
  };
}

/** The last records of a journal, including its end. */
const lastRecords = 4;

/**
 * Makes the event of the state that a run has now.
 *
 * @returns `undefined` for a run that is driven, or was deleted.
 */
export async function runEvent(store: RunStore, runId: string): Promise<WebhookEvent | undefined> {
  const run = await store.getRun(runId);
  if (run?.settledAt === undefined) return undefined;
  const type = typeOf(run);
  if (type === undefined) return undefined;
  const end = run.head.seq === 0 ? undefined : await endOf(store, run);
  const { id, agentId, sessionId, tenantId, userId, epoch, waitingOn } = run;
  return {
    type,
    timestamp: new Date(run.settledAt).toISOString(),
    data: {
      runId: id,
      agentName: agentId,
      sessionId,
      ...(tenantId !== undefined && { tenantId }),
      ...(userId !== undefined && { userId }),
      epoch,
      ...(end !== undefined && run.state !== "stuck" && { stopReason: end.stopReason }),
      ...(waitingOn !== undefined && { interruptionIds: waitingOn }),
    },
  };
}

async function endOf(store: RunStore, { id, head }: StoredRun) {
  const records = await store.load(id, Math.max(0, head.seq - lastRecords));
  // Sealed journals keep the stop reason readable.
  return records.findLast((record) => record.type === "run.end");
}

function typeOf({ state }: StoredRun): WebhookEventType | undefined {
  return state === "suspended" || state === "stuck" || isEnded(state) ? `run.${state}` : undefined;
}
