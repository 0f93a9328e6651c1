import {
  checkKnownNames,
  ModelAbortedError,
  ModelConnectionError,
  type AssistantMessage,
  type AssistantPart,
  type ModelCapabilities,
  type ModelError,
  type ModelProvider,
  type ModelRequest,
  type ModelResponse,
  type StreamChunk,
  type ToolCall,
} from "@bailiwick/core";
import { apiError, checkArgument } from "@bailiwick/core/provider";
import { estimateUsage } from "../script/estimate-usage.ts";
import { playScript } from "../script/play-script.ts";
import { resolveStep, type ResolvedPart, type ResolvedTurn } from "../script/resolved-turn.ts";
import type { Script } from "../script/script.ts";
import type { ScriptError } from "../script/script-faults.ts";
import { ScriptFaultError } from "../script/script-error.ts";
import { toScriptRequest } from "./to-script-request.ts";

/** Answer to the planner, which is called before a person is asked: the words ask for no call. */
const asksForNothing = '{"asked":false,"quote":""}';

/** Settings of a scripted model. */
export interface ScriptedModelOptions {
  /** Default `scripted`. */
  readonly provider?: string | undefined;
  /** Default `scripted-1`. */
  readonly modelId?: string | undefined;
  /** Capabilities that differ from those of a capable model. */
  readonly capabilities?: Partial<ModelCapabilities> | undefined;
}

/** A model that follows a script and records its requests. */
export interface ScriptedModel extends ModelProvider {
  /** Every request so far, in order. */
  readonly requests: readonly ModelRequest[];
  /** Number of calls of each method. */
  readonly calls: { readonly generate: number; readonly stream: number };
  /** Chunks handed out so far. */
  readonly chunksSent: number;
  /** Number of requests that their signal cancelled. */
  readonly aborted: number;
}

const defaultCapabilities: ModelCapabilities = {
  input: { image: true, audio: true, file: true },
  toolResultMedia: "native",
  toolCallId: {},
  toolName: { pattern: /^[A-Za-z0-9_.-]+$/, maxLength: 128 },
  replaysReasoning: true,
  systemAnywhere: true,
  structuredOutput: "with-tools",
};

/**
 * A model in process that answers from a script: no network, no key, the same script as for `modelServer`. The
 * planner gets no listed step, and answers that the words ask for no call, unless the next step begins with `{"asked"`.
 *
 * @param script - Steps, one per request, or a function of the request. The function gets a `ScriptRequest`, such as
 *   `lastUserText`, `toolResults` since the last answer, `messages`, `tools` and `turn`, and returns one step.
 * @param options - Names and capabilities.
 * @throws ScriptFaultError `SCRIPT_INVALID` when a listed step contradicts itself.
 *
 * @example
 * ```ts
 * import { scriptedModel } from "@bailiwick/testing";
 *
 * export const model = scriptedModel([{ toolCalls: [{ name: "add", arguments: { a: 1, b: 2 } }] }, "The sum is 3."]);
 *
 * export const adder = scriptedModel(({ lastUserText, toolResults }) => {
 *   const [sum] = toolResults;
 *   if (sum !== undefined) return `The sum is ${sum.text}.`;
 *   const [a = 0, b = 0] = lastUserText.split("+").map(Number);
 *   return { toolCalls: [{ name: "add", arguments: { a, b } }] };
 * });
 * ```
 */
export function scriptedModel(script: Script, options: ScriptedModelOptions = {}): ScriptedModel {
  if (typeof script !== "function") checkArgument(script, "array", 'scriptedModel(["answer"])');
  checkKnownNames(options, ["provider", "modelId", "capabilities"], "scriptedModel()");
  const provider = options.provider ?? "scripted";
  const modelId = options.modelId ?? "scripted-1";
  const player = playScript(script);
  const requests: ModelRequest[] = [];
  const calls = { generate: 0, stream: 0 };
  let chunksSent = 0;
  let aborted = 0;
  let answers = 0;

  const abort = (reason: unknown): Error => {
    aborted += 1;
    const message = `The call to ${modelId} was aborted.`;
    return new ModelAbortedError(message, { provider, model: modelId, cause: reason });
  };

  const play = async (
    request: ModelRequest,
    streamed: boolean,
  ): Promise<{ readonly turn: ResolvedTurn; readonly response: ModelResponse }> => {
    requests.push(request);
    const asked = toScriptRequest(request, modelId, streamed);
    // A listed step answers the planner only if it has the form of its answers.
    const isPlanner = Array.isArray(script) && request.messages[0]?.id === "planner:system";
    const plan = isPlanner && !/^\s*\{\s*"asked"/u.test(player.nextText ?? "");
    const turn = plan ? resolveStep(asksForNothing) : await player.next(asked);
    const { faults } = turn;
    if (faults.delayMs !== undefined) await pause(faults.delayMs, request.signal, abort);
    // Without a stream, an answer that never ends never arrives.
    if (faults.hangAfterEvents === 0 || (!streamed && faults.hangAfterEvents !== undefined))
      await pause(undefined, request.signal, abort);
    if (!streamed && faults.errorFrame !== undefined) throw toModelError(faults.errorFrame.error, provider, modelId);
    if (faults.error !== undefined) throw toModelError(faults.error, provider, modelId);
    answers += 1;
    return { turn, response: toResponse(turn, answers, asked) };
  };

  const toResponse = (turn: ResolvedTurn, answer: number, asked: ReturnType<typeof toScriptRequest>): ModelResponse => {
    const { content, toolCalls } = toContent(turn.parts, answer);
    const counted = estimateUsage(asked, turn);
    const usage = {
      inputTokens: counted.inputTokens,
      outputTokens: counted.outputTokens,
      totalTokens: counted.inputTokens + counted.outputTokens,
      ...(counted.reasoningTokens > 0 && { reasoningTokens: counted.reasoningTokens }),
      ...(counted.cachedTokens > 0 && { cachedTokens: counted.cachedTokens }),
      ...(counted.cacheWriteTokens > 0 && { cacheWriteTokens: counted.cacheWriteTokens }),
    };
    const message: AssistantMessage = {
      id: `${modelId}-message-${answer}`,
      role: "assistant",
      content,
      toolCalls,
      finishReason: turn.finish,
      provenance: { provider, api: "in-process", model: modelId },
      usage,
    };
    return {
      message,
      usage,
      finishReason: turn.finish,
      raw: turn.step,
      responseId: turn.step.responseId ?? `${modelId}-response-${answer}`,
      warnings: [],
    };
  };

  return {
    provider,
    api: "in-process",
    modelId,
    capabilities: { ...defaultCapabilities, ...options.capabilities },
    requests,
    calls,
    get chunksSent(): number {
      return chunksSent;
    },
    get aborted(): number {
      return aborted;
    },
    async generate(request): Promise<ModelResponse> {
      calls.generate += 1;
      const { turn, response } = await play(request, false);
      if (turn.faults.cutAfterEvents !== undefined || turn.faults.omitTerminal === true)
        throw broken(provider, modelId);
      return response;
    },
    async *stream(request): AsyncGenerator<StreamChunk> {
      calls.stream += 1;
      const { turn, response } = await play(request, true);
      const { faults } = turn;
      let sent = 0;
      for (const chunk of chunksOf(turn, response)) {
        if (faults.cutAfterEvents === sent) throw broken(provider, modelId);
        if (faults.errorFrame?.afterEvents === sent) throw toModelError(faults.errorFrame.error, provider, modelId);
        if (faults.hangAfterEvents === sent) await pause(undefined, request.signal, abort);
        if (faults.delayPerEventMs !== undefined) await pause(faults.delayPerEventMs, request.signal, abort);
        if (request.signal?.aborted === true) {
          throw abort(request.signal.reason);
        }
        if (chunk.type === "finish" && faults.omitTerminal === true) return;
        sent += 1;
        chunksSent += 1;
        yield chunk;
      }
    },
  };
}

function toContent(
  parts: readonly ResolvedPart[],
  answer: number,
): { readonly content: AssistantPart[]; readonly toolCalls: ToolCall[] } {
  const content: AssistantPart[] = [];
  const toolCalls: ToolCall[] = [];
  for (const part of parts) {
    switch (part.type) {
      case "text":
        content.push({ type: "text", text: part.text });
        for (const source of part.sources) content.push({ type: "source", url: source.url, title: source.title });
        break;
      case "reasoning":
        content.push({
          type: "reasoning",
          text: part.text,
          ...(part.signature !== undefined && { providerState: { signature: part.signature } }),
        });
        break;
      case "refusal":
        content.push({ type: "refusal", text: part.text });
        break;
      case "file":
        content.push({ type: "file", data: part.data, mimeType: part.mediaType });
        break;
      case "tool_call": {
        const id = part.id ?? `call_${answer}_${toolCalls.length}`;
        content.push({ type: "tool_call", toolCallId: id });
        toolCalls.push({ id, name: part.name, arguments: part.argumentsText, ...parsed(part.argumentsText) });
        break;
      }
      default:
        throw new ScriptFaultError(
          "SCRIPT_UNSUPPORTED",
          `A scripted model in process has no vendor's shape, so a "raw" part cannot be played. Use modelServer().`,
        );
    }
  }
  return { content, toolCalls };
}

function parsed(text: string): { readonly input?: unknown } {
  try {
    return { input: JSON.parse(text === "" ? "{}" : text) as unknown };
  } catch {
    return {};
  }
}

function* chunksOf(turn: ResolvedTurn, response: ModelResponse): Generator<StreamChunk> {
  let call = 0;
  for (const part of turn.parts) {
    switch (part.type) {
      case "text":
        for (const text of part.deltas) yield { type: "text", text };
        for (const source of part.sources)
          yield { type: "source", source: { type: "source", url: source.url, title: source.title } };
        break;
      case "reasoning":
        for (const text of part.summaryParts) yield { type: "thinking", text };
        break;
      case "file":
        yield { type: "file", file: { type: "file", data: part.data, mimeType: part.mediaType } };
        break;
      case "tool_call": {
        const { id, name } = response.message.toolCalls[call] ?? { id: "", name: part.name };
        call += 1;
        yield { type: "tool_call_start", toolCall: { id, name } };
        for (const argumentsDelta of part.deltas) yield { type: "tool_call_delta", toolCallId: id, argumentsDelta };
        yield { type: "tool_call_end", toolCallId: id };
        break;
      }
      default:
        break;
    }
  }
  yield { type: "finish", finishReason: response.finishReason, usage: response.usage, response };
}

/** The error that an adapter throws for such an answer, with the same code. */
function toModelError(error: ScriptError, provider: string, model: string): ModelError {
  const { status } = error;
  return apiError({
    provider,
    model,
    status,
    codes: [error.code, error.type],
    message: error.message ?? `The model answered with status ${status}.`,
    retryAfterMs: error.retryAfterSeconds === undefined ? undefined : error.retryAfterSeconds * 1_000,
    headers: error.headers === undefined ? undefined : new Headers(error.headers),
  });
}

function broken(provider: string, model: string): ModelConnectionError {
  return new ModelConnectionError("The connection to the model broke.", { provider, model, retryable: true });
}

/** Waits for a time, or, without one, for the signal. */
function pause(
  ms: number | undefined,
  signal: AbortSignal | undefined,
  abort: (reason: unknown) => Error,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      if (timer !== undefined) clearTimeout(timer);
      reject(abort(signal?.reason));
    };
    const timer =
      ms === undefined
        ? undefined
        : setTimeout(() => {
            signal?.removeEventListener("abort", stop);
            resolve();
          }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
