import { BailiwickError, type JournalEvent, type RunEvent } from "@bailiwick/core";
import { toError } from "@bailiwick/core/extension";
import type { EventReader } from "./event-reader.ts";
import type { LiveRuns } from "./live-runs.ts";
import type { ServedAgent, ServedStore } from "./served-agent.ts";

/** Options of following a run. */
export interface FollowOptions {
  readonly runs: LiveRuns;
  readonly agent: Pick<ServedAgent, "inspect">;
  readonly store: ServedStore;
  readonly runId: string;
  /** Ends the following; the run is unchanged. */
  readonly signal: AbortSignal;
  /** Interval at which the journal of a run that another process drives is read, in milliseconds. */
  readonly pollMs: number;
}

/**
 * A run's events from its beginning: its journal, then new events, until it ends or waits for a person. If this
 * process drives the run, its live events are included; else its journal is polled.
 *
 * @param options - The run and its store.
 * @yields Journal events in order of `seq`, each once.
 */
export async function* followRun(options: FollowOptions): AsyncGenerator<RunEvent> {
  const { runs, agent, store, runId, signal } = options;
  let seq = 0;
  const load = async function* (): AsyncGenerator<JournalEvent> {
    const { events } = await agent.inspect(runId);
    for (const event of events) {
      if (event.seq <= seq) continue;
      ({ seq } = event);
      yield event;
    }
  };
  const followLive = async function* (reader: EventReader): AsyncGenerator<RunEvent> {
    for await (const { event, after } of reader) {
      if (!("seq" in event)) {
        if (after >= seq) yield event;
        continue;
      }
      if (event.seq <= seq) continue;
      // Dropped for a slow client, or shown before this client connected.
      if (event.seq > seq + 1) yield* load();
      if (event.seq <= seq) continue;
      ({ seq } = event);
      yield event;
    }
  };

  while (!signal.aborted) {
    const reader = runs.get(runId)?.read();
    // Read before the journal: then the records up to the pause are complete.
    const run = await store.getRun(runId);
    if (run === undefined || run.head.seq > seq) yield* load();
    if (reader !== undefined) {
      const leave = (): void => reader.close();
      signal.addEventListener("abort", leave, { once: true });
      try {
        yield* followLive(reader);
      } finally {
        signal.removeEventListener("abort", leave);
      }
      continue;
    }
    if (run === undefined || (run.state !== "running" && run.state !== "queued")) return;
    const failure = run.state === "queued" ? runs.failureOf(runId) : undefined;
    if (failure !== undefined) {
      yield failedStart(runId, seq, failure);
      return;
    }
    await pause(options.pollMs, signal);
  }
}

/**
 * The end of the events of a run that this process could not continue. It is no record: the run waits for the next try,
 * and its client has to learn why nothing comes.
 */
function failedStart(runId: string, seq: number, failure: unknown): RunEvent {
  const { name, message } = toError(failure);
  const error = { name, code: BailiwickError.isInstance(failure) ? failure.code : "INTERNAL", message };
  const end = { status: "failed", stopReason: "failed", text: "", durationMs: 0, error } as const;
  return { type: "run.end", runId, seq: seq + 1, at: Date.now(), key: "", label: "system", ...end };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
}
