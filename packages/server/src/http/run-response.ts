import type { RunEvent } from "@bailiwick/core";
import { agUiEncoder } from "../ag-ui/index.ts";
import { followRun } from "../runs/follow-run.ts";
import type { LiveRuns } from "../runs/live-runs.ts";
import type { ServedAgent, ServedStore } from "../runs/served-agent.ts";
import { uiEncoder, type UiChunk, type UiEncoderOptions } from "../ui-stream/index.ts";
import { olderChunk } from "../ui-stream/older-chunk.ts";
import type { AgUiRequest } from "./ag-ui-request.ts";
import type { PageState } from "./page-state.ts";
import { eventStream, eventStreamHeaders } from "./event-stream.ts";

/** Options of the stream of a run. */
export interface RunResponseOptions {
  readonly agent: ServedAgent;
  readonly store: ServedStore;
  readonly runs: LiveRuns;
  readonly runId: string;
  /** The client already has the message up to this record. */
  readonly afterSeq?: number | undefined;
  /** True if the client knows the chunks of AI SDK 7, as it says in a header. */
  readonly isNewest?: boolean | undefined;
  /** Suspicious questions that this client is asked once more, or answers so. */
  readonly secondIds?: ReadonlySet<string> | undefined;
  /** Those of them that this response asks. */
  readonly askedAgain?: ReadonlySet<string> | undefined;
  readonly pollMs: number;
  readonly errorText?: UiEncoderOptions["errorText"];
  readonly exposeErrors?: boolean | undefined;
  readonly onError: (error: unknown) => void;
  /** The request's signal. */
  readonly signal: AbortSignal;
  /** Called when the client is gone: with `true` if the stream was complete. */
  readonly onGone?: ((isComplete: boolean) => void) | undefined;
}

/**
 * A run's UI message stream as a response. The run continues when the client disconnects, unless `onGone` cancels it.
 */
export function runResponse(options: RunResponseOptions): Response {
  const { runId, errorText, exposeErrors, afterSeq = 0, secondIds, askedAgain = new Set(), isNewest = false } = options;
  const fitting = (chunks: readonly UiChunk[]): readonly object[] => (isNewest ? chunks : chunks.flatMap(olderChunk));
  const answered = new Set<string>();
  const encoder = uiEncoder({ runId, errorText, exposeErrors, isAnswered: (id) => answered.has(id) }, secondIds);
  const body = streamOf(options, {
    before: async (event) => {
      if (asksClient(event)) for (const id of await answeredQuestions(options)) answered.add(id);
    },
    push(event) {
      const isNew = !("seq" in event) || event.seq > afterSeq;
      const chunks = encoder.push(event).filter(({ type }) => isNew || type === "start");
      return fitting("seq" in event && event.seq === afterSeq ? [...chunks, ...encoder.askAgain(askedAgain)] : chunks);
    },
    end: () => fitting(encoder.end()),
    closing: "data: [DONE]\n\n",
  });
  return new Response(body, { headers: { ...eventStreamHeaders, "x-vercel-ai-ui-message-stream": "v1" } });
}

/**
 * A run as events for an AG-UI client. The run continues when the client disconnects, unless `onGone` cancels it.
 *
 * @param client - The client's names, and the messages that it shows so far.
 */
export function agUiResponse(
  options: RunResponseOptions,
  client: Pick<AgUiRequest, "threadId" | "runId" | "messages" | "warnings">,
  state: PageState | undefined,
): Response {
  const { runId, errorText, exposeErrors, afterSeq, secondIds } = options;
  const { warnings } = client;
  const given = { runId, client, errorText, exposeErrors, afterSeq, state, warnings };
  const body = streamOf(options, agUiEncoder(given, secondIds));
  return new Response(body, { headers: eventStreamHeaders });
}

function streamOf(
  { agent, store, runs, runId, pollMs, signal, onError, onGone }: RunResponseOptions,
  encoder: {
    readonly push: (event: RunEvent) => readonly object[];
    readonly end: () => readonly object[];
    readonly closing?: string;
    /** Awaited before an event is encoded. */
    readonly before?: (event: RunEvent) => Promise<void>;
  },
): ReadableStream<Uint8Array> {
  const left = new AbortController();
  const events = followRun({ agent, store, runs, runId, pollMs, signal: AbortSignal.any([signal, left.signal]) });
  const { before } = encoder;
  const read = before === undefined ? events : prepared(events, before);
  return eventStream({
    ...encoder,
    events: read,
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

async function* prepared(
  events: AsyncIterable<RunEvent>,
  before: (event: RunEvent) => Promise<void>,
): AsyncGenerator<RunEvent> {
  for await (const event of events) {
    await before(event);
    yield event;
  }
}

function asksClient(event: RunEvent): boolean {
  if (event.type === "input.requested") return event.interruption.kind === "client_tool";
  return event.type === "child.suspended" && event.interruptions.some(({ kind }) => kind === "client_tool");
}

/**
 * Ids of the questions of client tools that the journal has an answer to: a replay must not make the client run them
 * again.
 */
async function answeredQuestions({ agent, runId }: RunResponseOptions): Promise<readonly string[]> {
  const { events } = await agent.inspect(runId);
  const asked = new Map<string, string>();
  const answered: string[] = [];
  for (const event of events) {
    if (event.type === "input.requested") asked.set(event.interruption.toolCallId, event.interruption.id);
    else if (event.type === "child.decided") answered.push(event.decision.id);
    else if (event.type === "input.answered") {
      const id = asked.get(event.toolCallId);
      if (id !== undefined) answered.push(id);
    }
  }
  return answered;
}
