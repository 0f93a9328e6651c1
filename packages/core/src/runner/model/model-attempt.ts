import type { AssistantPart } from "../../contracts/content-part.ts";
import type { AssistantMessage } from "../../contracts/message.ts";
import type { BackgroundAnswer, ModelProvider, ModelRequest } from "../../contracts/model-provider.ts";
import type { ModelResponse } from "../../contracts/model-response.ts";
import type { Timeouts } from "../../contracts/run-options.ts";
import type { ChunkStream, StreamChunk } from "../../contracts/stream-chunk.ts";
import { ModelResponseError, ModelTimeoutError } from "../../errors/model-errors.ts";
import { toError } from "../../user-code/call-user-code.ts";
import { copyOfGiven } from "../../user-code/copies.ts";
import { usualTimeouts } from "../../providers/model-timeouts.ts";
import { checkChunk } from "./check-chunk.ts";
import { isModelError } from "./model-error.ts";
import type { StructuredStream } from "../answer/structured-output.ts";
import { startModelSpan } from "../hooks/guarded-span.ts";
import type { SecretsPort } from "../../contracts/ports/security.ts";
import type { TextFilter } from "../../contracts/ports/text-filter.ts";
import type { Run } from "../run.ts";

/** Time for a cancelled provider to report the part that had arrived, in milliseconds. */
const abortGraceMs = 20;

/** Result of one attempt of a model call. */
export type Attempt =
  | {
      readonly ok: true;
      readonly response: ModelResponse;
      readonly timeToFirstTokenMs: number | undefined;
      readonly shown: boolean;
    }
  | {
      readonly ok: false;
      readonly error: Error;
      /** True if a part of the answer was shown: before a second attempt, pages are asked to drop it. */
      readonly shown: boolean;
      /** The part that arrived, without calls, which are incomplete. */
      readonly partial: readonly AssistantPart[];
      /** The part that arrived, from the provider, with the usage that the vendor counted. */
      readonly received: ModelResponse | undefined;
      readonly openCalls: readonly string[];
    };

/** The place of an attempt in its run. */
interface AttemptPlace {
  readonly turn: number;
  readonly attempt: number;
  /** Id of an answer in the background that an earlier process asked for. */
  readonly backgroundId: string | undefined;
}

/** The part of a streamed answer that has arrived, in case the stream breaks. */
interface Arrived {
  /** Pieces of the answer, which are only joined if the stream breaks. */
  readonly text: string[];
  readonly commentary: string[];
  readonly thinking: string[];
  firstAt: number | undefined;
  shown: boolean;
  openCalls: Set<string> | undefined;
}

/**
 * Asks a model once. The call is streamed if deltas have an observer or a time-out needs chunks. It ends as soon as the
 * run is stopped or a time-out passes, even if the provider ignores the signal.
 *
 * @param request - Without the signal.
 * @param place - The place of the attempt in the run, and the answer in the background that it reads.
 * @param structured - Takes the pieces of a structured answer.
 */
export function attemptModelCall(
  run: Run,
  model: ModelProvider,
  request: ModelRequest,
  place: AttemptPlace,
  structured: StructuredStream,
): Promise<Attempt> {
  const span = startModelSpan(run, model, request, "answer");
  if (span === undefined) return ask(run, model, request, place, structured);
  return span
    .within(() => ask(run, model, request, place, structured))
    .then((attempt) => {
      if (attempt.ok) span.end(attempt.response, undefined, attempt.timeToFirstTokenMs);
      else span.end(attempt.received, attempt.error);
      return attempt;
    });
}

function ask(
  run: Run,
  model: ModelProvider,
  request: ModelRequest,
  place: AttemptPlace,
  structured: StructuredStream,
): Promise<Attempt> {
  const controller = new AbortController();
  const arrived: Arrived = {
    text: [],
    commentary: [],
    thinking: [],
    firstAt: undefined,
    shown: false,
    openCalls: undefined,
  };
  const startedAt = run.clock.now();
  const own = run.settings.timeouts ?? {};
  const streamed =
    run.sink.wantsDeltas() || own.firstChunkMs !== undefined || own.idleChunkMs !== undefined || run.answer.windowed;
  const firstChunkMs = streamed ? limitOf("firstChunkMs", own, model) : undefined;
  const idleChunkMs = streamed ? limitOf("idleChunkMs", own, model) : undefined;

  const failed = (error: Error, received = isModelError(error) ? error.partial : undefined): Attempt => ({
    ok: false,
    error,
    shown: arrived.shown || run.answer.shown,
    partial: partialOf(arrived),
    received,
    openCalls: [...(arrived.openCalls ?? [])],
  });

  const answered = (response: ModelResponse): Attempt => ({
    ok: true,
    response,
    timeToFirstTokenMs: arrived.firstAt === undefined ? undefined : arrived.firstAt - startedAt,
    shown: arrived.shown || run.answer.shown,
  });

  return new Promise<Attempt>((resolve) => {
    let settled = false;
    const settle = (attempt: Attempt): void => {
      if (settled) return;
      settled = true;
      forgetStop();
      forgetGrace?.();
      firstTimer?.cancel();
      idleTimer?.cancel();
      resolve(attempt);
    };
    // A provider that honours the signal rejects immediately, with the part that had arrived and its usage.
    let forgetGrace: (() => void) | undefined;
    let givenUp: Error | undefined;
    const giveUp = (error: Error): void => {
      if (givenUp !== undefined || settled) return;
      givenUp = error;
      forgetGrace = run.timers.setTimer(() => settle(failed(error)), abortGraceMs, { keepAlive: true });
      controller.abort(error);
    };
    const timeOut = (timeout: "first_chunk" | "idle_chunk", ms: number) => (): void =>
      giveUp(
        new ModelTimeoutError(
          timeout,
          `${model.provider}/${model.modelId} sent nothing for ${ms} ms (timeouts.${timeout === "first_chunk" ? "firstChunkMs" : "idleChunkMs"}).`,
          {
            provider: model.provider,
            model: model.modelId,
            retryable: true,
          },
        ),
      );
    const firstTimer =
      firstChunkMs === undefined ? undefined : run.timers.after(firstChunkMs, timeOut("first_chunk", firstChunkMs));
    let idleTimer: ReturnType<Run["timers"]["after"]> | undefined;
    const forgetStop = run.control.onStop(() => giveUp(toError(run.control.signal.reason)));
    if (givenUp !== undefined) {
      settle(failed(givenUp));
      return;
    }

    const onChunks = (): void => {
      if (arrived.firstAt === undefined) {
        arrived.firstAt = run.clock.now();
        firstTimer?.cancel();
        if (idleChunkMs !== undefined && !inBackground)
          idleTimer = run.timers.after(idleChunkMs, timeOut("idle_chunk", idleChunkMs));
      } else if (idleChunkMs !== undefined) idleTimer?.postpone(idleChunkMs);
    };
    let inBackground = false;
    const background: BackgroundAnswer = {
      id: place.backgroundId,
      async started(responseId) {
        // The vendor may take any time, so no limit for chunks holds.
        inBackground = true;
        firstTimer?.cancel();
        idleTimer?.cancel();
        run.journal.record({ type: "model.started", turn: place.turn, attempt: place.attempt, responseId });
        await run.journal.commit();
      },
      isKept: () => run.control.isInterrupted,
    };
    const withSignal: ModelRequest = { ...request, signal: controller.signal, fetch: run.agent.fetch, background };
    const answer = streamed
      ? readStream(run, model, withSignal, structured, arrived, onChunks, () => settled || givenUp !== undefined)
      : Promise.resolve().then(() => model.generate(withSignal));
    answer.then(
      (response) => settle(givenUp === undefined ? answered(response) : failed(givenUp, response)),
      (thrown: unknown) => {
        const error = toError(thrown);
        settle(
          givenUp === undefined ? failed(error) : failed(givenUp, isModelError(error) ? error.partial : undefined),
        );
      },
    );
  });
}

/** A time limit of a streamed answer: that of the run, else that of the model; `undefined` if there is none. */
function limitOf(name: "firstChunkMs" | "idleChunkMs", own: Timeouts, { timeouts }: ModelProvider): number | undefined {
  const limit = own[name] ?? timeouts?.[name] ?? usualTimeouts[name];
  return Number.isFinite(limit) ? limit : undefined;
}

async function readStream(
  run: Run,
  model: ModelProvider,
  request: ModelRequest,
  structured: StructuredStream,
  arrived: Arrived,
  onChunks: () => void,
  isOver: () => boolean,
): Promise<ModelResponse> {
  const { secrets } = run.agent;
  const scrubber = secrets === undefined ? undefined : chunkScrubber(secrets);
  const show = (chunk: ShownChunk): void => {
    for (const shown of scrubber?.push(chunk) ?? [chunk]) showBeside(run, shown, arrived);
  };
  /** The complete answer; reads only the requested part of the stream. */
  const take = async (chunks: readonly StreamChunk[]): Promise<ModelResponse | undefined> => {
    for (const chunk of chunks) {
      if (isOver() || run.answer.blocked !== undefined) return undefined;
      checkChunk(chunk, model);
      if (chunk.type === "finish") {
        for (const shown of scrubber?.end() ?? []) showBeside(run, shown, arrived);
        return chunk.response;
      }
      const wait = takeChunk(run, chunk, structured, arrived, show) ?? run.sink.room();
      if (wait !== undefined) await wait;
    }
    return undefined;
  };
  for await (const chunks of batchesOf(model.stream(request))) {
    if (isOver()) break;
    onChunks();
    const response = await take(chunks);
    if (response !== undefined) return response;
    if (run.answer.blocked !== undefined) break;
  }
  throw new ModelResponseError(
    `The stream of ${model.provider}/${model.modelId} ended without its closing event, so the answer may be incomplete.`,
    {
      provider: model.provider,
      model: model.modelId,
      retryable: true,
    },
  );
}

/** Chunks as they arrived, one by one if the provider does not report groups. */
function batchesOf(stream: ChunkStream): AsyncIterable<readonly StreamChunk[]> {
  return stream.batches?.() ?? singly(stream);
}

async function* singly(stream: AsyncIterable<StreamChunk>): AsyncGenerator<readonly StreamChunk[]> {
  for await (const chunk of stream) yield [chunk];
}

function takeChunk(
  run: Run,
  chunk: ShownChunk,
  structured: StructuredStream,
  arrived: Arrived,
  show: (chunk: ShownChunk) => void,
): Promise<void> | undefined {
  switch (chunk.type) {
    case "text":
      if (chunk.commentary === true) {
        arrived.commentary.push(chunk.text);
        return run.answer.push(chunk.text, true);
      }
      arrived.text.push(chunk.text);
      structured.push(chunk.text);
      return run.answer.push(chunk.text);
    case "thinking":
      arrived.thinking.push(chunk.text);
      break;
    case "tool_call_start":
      if (structured.takesCall(chunk.toolCall)) return undefined;
      (arrived.openCalls ??= new Set()).add(chunk.toolCall.id);
      break;
    case "tool_call_delta":
      if (structured.isOwn(chunk.toolCallId)) {
        arrived.text.push(chunk.argumentsDelta);
        structured.push(chunk.argumentsDelta);
        return undefined;
      }
      break;
    case "tool_call_end":
      if (structured.isOwn(chunk.toolCallId)) return undefined;
      arrived.openCalls?.delete(chunk.toolCallId);
      break;
    default:
      break;
  }
  show(chunk);
  return undefined;
}

/** Shows the streamed parts other than the answer's text. */
function showBeside(run: Run, chunk: ShownChunk, arrived: Arrived): void {
  if (!run.sink.wants(chunk.type)) return;
  if (chunk.type !== "raw" && chunk.type !== "warning") arrived.shown = true;
  run.sink.show(chunk);
}

function partialOf(arrived: Arrived): readonly AssistantPart[] {
  const parts: AssistantPart[] = [];
  const thinking = arrived.thinking.join("");
  const commentary = arrived.commentary.join("");
  const text = arrived.text.join("");
  if (thinking !== "") parts.push({ type: "reasoning", text: thinking });
  if (commentary !== "") parts.push({ type: "text", text: commentary, commentary: true });
  if (text !== "") parts.push({ type: "text", text });
  return parts;
}

/** The message of an interrupted answer: as assembled by the provider, else from the stream. */
export function partialMessage(
  run: Run,
  model: ModelProvider,
  failed: Extract<Attempt, { ok: false }>,
): AssistantMessage {
  const assembled = copyOfGiven(failed.received?.message.content.filter(({ type }) => type !== "tool_call") ?? []);
  return {
    id: run.ids.next("message"),
    role: "assistant",
    content: assembled.length > 0 ? assembled : failed.partial,
    toolCalls: [],
    finishReason: "error",
    provenance: { provider: model.provider, api: model.api, model: model.modelId },
    partial: true,
    timestamp: run.clock.now(),
  };
}

/** A chunk that is shown during the stream. */
type ShownChunk = Exclude<StreamChunk, { type: "finish" }>;

/** Removes known secrets from the streamed parts other than the answer's text. */
interface ChunkScrubber {
  /** Text that may be shown now: a piece that may begin a secret is held until it is complete. */
  push(chunk: ShownChunk): readonly ShownChunk[];
  /** Text that was still held when the stream ended. */
  end(): readonly ShownChunk[];
}

/** Scrubs the reasoning and the arguments of each call as one text each, and everything else piece by piece. */
function chunkScrubber(secrets: SecretsPort): ChunkScrubber {
  let thinking: TextFilter | undefined;
  const calls = new Map<string, TextFilter>();
  const thought = (text: string | undefined): ShownChunk[] =>
    text === undefined || text === "" ? [] : [{ type: "thinking", text }];
  const argued = (toolCallId: string, text: string | undefined): ShownChunk[] =>
    text === undefined || text === "" ? [] : [{ type: "tool_call_delta", toolCallId, argumentsDelta: text }];
  const endThought = (): ShownChunk[] => {
    const rest = thought(thinking?.end());
    thinking = undefined;
    return rest;
  };
  const endCall = (id: string): ShownChunk[] => {
    const rest = argued(id, calls.get(id)?.end());
    calls.delete(id);
    return rest;
  };
  return {
    push(chunk) {
      if (chunk.type === "thinking") return thought((thinking ??= secrets.textScrubber()).push(chunk.text));
      if (chunk.type === "tool_call_delta") {
        let filter = calls.get(chunk.toolCallId);
        if (filter === undefined) calls.set(chunk.toolCallId, (filter = secrets.textScrubber()));
        return argued(chunk.toolCallId, filter.push(chunk.argumentsDelta));
      }
      if (chunk.type === "tool_call_end") return [...endCall(chunk.toolCallId), chunk];
      if (chunk.type === "raw") return [secrets.scrub(chunk)];
      return [...endThought(), secrets.scrub(chunk)];
    },
    end: () => [...endThought(), ...[...calls.keys()].flatMap(endCall)],
  };
}
