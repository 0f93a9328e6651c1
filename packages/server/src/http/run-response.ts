import { followRun } from "../runs/follow-run.ts";
import type { LiveRuns } from "../runs/live-runs.ts";
import type { ServedAgent, ServedStore } from "../runs/served-agent.ts";
import { uiEventStream, uiStreamHeaders } from "../ui-stream/event-stream.ts";
import { uiEncoder, type UiEncoderOptions } from "../ui-stream/index.ts";

/** What the stream of a run is made of. */
export interface RunResponseOptions {
  readonly agent: ServedAgent;
  readonly store: ServedStore;
  readonly runs: LiveRuns;
  readonly runId: string;
  /** The reader knows the message up to this record. */
  readonly afterSeq?: number | undefined;
  readonly pollMs: number;
  readonly errorText?: UiEncoderOptions["errorText"];
  readonly onError: (error: unknown) => void;
  /** Of the request. */
  readonly signal: AbortSignal;
}

/** A run's UI message stream as a response. When the reader leaves, the run goes on. */
export function runResponse(options: RunResponseOptions): Response {
  const { agent, store, runs, runId, pollMs, signal } = options;
  const left = new AbortController();
  const events = followRun({ agent, store, runs, runId, pollMs, signal: AbortSignal.any([signal, left.signal]) });
  const encoder = uiEncoder({ runId, errorText: options.errorText });
  const body = uiEventStream({
    events,
    encoder,
    afterSeq: options.afterSeq,
    onLeave: () => left.abort(),
    onError: options.onError,
  });
  return new Response(body, { headers: uiStreamHeaders });
}
