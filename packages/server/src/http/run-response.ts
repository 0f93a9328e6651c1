import type { Message } from "@ag-ui/core";
import type { RunEvent } from "@bailiwick/core";
import { agUiEncoder } from "../ag-ui/index.ts";
import { followRun } from "../runs/follow-run.ts";
import type { LiveRuns } from "../runs/live-runs.ts";
import type { ServedAgent, ServedStore } from "../runs/served-agent.ts";
import { uiEncoder, type UiEncoderOptions } from "../ui-stream/index.ts";
import { eventStream, eventStreamHeaders } from "./event-stream.ts";

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
  /** The request's signal. */
  readonly signal: AbortSignal;
  /** Called when the reader is gone: with `true` when the stream was complete. */
  readonly onGone?: ((isComplete: boolean) => void) | undefined;
}

/** A run's UI message stream as a response. The run continues when the reader leaves, unless `onGone` cancels it. */
export function runResponse(options: RunResponseOptions): Response {
  const { runId, errorText, afterSeq = 0 } = options;
  const encoder = uiEncoder({ runId, errorText });
  const body = streamOf(options, {
    push(event) {
      const isNew = !("seq" in event) || event.seq > afterSeq;
      return encoder.push(event).filter(({ type }) => isNew || type === "start");
    },
    end: encoder.end,
    closing: "data: [DONE]\n\n",
  });
  return new Response(body, { headers: { ...eventStreamHeaders, "x-vercel-ai-ui-message-stream": "v1" } });
}

/**
 * A run as an AG-UI client reads it. The run continues when the reader leaves, unless `onGone` cancels it.
 *
 * @param client - The client's own names, and what it shows so far.
 */
export function agUiResponse(
  options: RunResponseOptions,
  client: { readonly threadId: string; readonly runId: string; readonly messages: readonly Message[] },
): Response {
  const { runId, errorText, afterSeq } = options;
  const body = streamOf(options, agUiEncoder({ runId, client, errorText, afterSeq }));
  return new Response(body, { headers: eventStreamHeaders });
}

function streamOf(
  { agent, store, runs, runId, pollMs, signal, onError, onGone }: RunResponseOptions,
  encoder: {
    readonly push: (event: RunEvent) => readonly object[];
    readonly end: () => readonly object[];
    readonly closing?: string;
  },
): ReadableStream<Uint8Array> {
  const left = new AbortController();
  const events = followRun({ agent, store, runs, runId, pollMs, signal: AbortSignal.any([signal, left.signal]) });
  return eventStream({
    ...encoder,
    events,
    end(): readonly object[] {
      // A request whose connection closed ends its events too.
      onGone?.(!signal.aborted);
      return encoder.end();
    },
    onLeave(): void {
      left.abort();
      onGone?.(false);
    },
    onError,
  });
}
