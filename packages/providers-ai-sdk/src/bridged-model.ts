import type {
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV4GenerateResult,
} from "@ai-sdk/provider";
import { linkSignal, PageError, requestWhole, wholeCharacters } from "@bailiwick/core/provider";
import type { ModelProvider, ModelRequest, ModelResponse, StreamChunk } from "@bailiwick/core/provider";
import type { AiSdkModel } from "./ai-sdk-model.ts";
import type { Connect, Connected } from "./connection.ts";
import { emptyAnswer, takeContent, type Answer } from "./answer.ts";
import { brokenStream, toModelError } from "./errors.ts";
import type { ModelContext } from "./model-context.ts";
import { buildRequest, type BuiltRequest } from "./request.ts";
import { checkAnswer, readAnswer, type ReadContext } from "./response.ts";
import { partMapper, type PartMapper, type StreamPart } from "./stream-parts.ts";
import { promptForVersion3 } from "./version-3.ts";
import { readWarnings } from "./warnings.ts";

/**
 * A model behind the AI SDK's specification.
 *
 * @param context - The model.
 * @param connect - Makes the model of a call.
 */
export function bridgedModel(context: ModelContext, connect: Connect): ModelProvider {
  return {
    provider: context.provider,
    api: context.api,
    modelId: context.modelId,
    capabilities: context.capabilities,
    generate: (request) => generate(request, context, connect),
    stream: (request) => ({ [Symbol.asyncIterator]: () => stream(request, context, connect) }),
  };
}

async function generate(request: ModelRequest, context: ModelContext, connect: Connect): Promise<ModelResponse> {
  let usedKey: () => string | undefined = () => undefined;
  return requestWhole(request, {
    failure: (error, moment) => toModelError(error, context, { ...moment, apiKey: usedKey() ?? moment.apiKey }),
    async ask(controller) {
      const { model, built, key } = await prepare(request, context, connect, controller.signal);
      usedKey = key;
      const result = await orAborted(callWhole(model, built), controller.signal);
      const answer = emptyAnswer();
      for (const part of result.content) takeContent(answer, part);
      answer.warnings.push(...readWarnings(result.warnings));
      answer.id = result.response?.id;
      answer.model = result.response?.modelId;
      answer.finish = result.finishReason;
      answer.usage = result.usage;
      const read = { context, request, built };
      const response = readAnswer(answer, read);
      checkAnswer(response, answer, read);
      return { ...response, raw: result.response?.body };
    },
  });
}

async function* stream(
  request: ModelRequest,
  context: ModelContext,
  connect: Connect,
): AsyncGenerator<StreamChunk, void, void> {
  const link = linkSignal(request.signal);
  const answer = emptyAnswer();
  const chunks: StreamChunk[] = [];
  const emit = wholeCharacters((chunk) => {
    chunks.push(chunk);
  });
  let reader: ReadableStreamDefaultReader<StreamPart> | undefined;
  let mapper: PartMapper | undefined;
  let read: ReadContext | undefined;
  let reading = false;
  let usedKey: () => string | undefined = () => undefined;
  try {
    const { model, built, key } = await prepare(request, context, connect, link.signal);
    usedKey = key;
    read = { context, request, built };
    mapper = partMapper(answer, read);
    const result = await orAborted(callStreamed(model, built), link.signal);
    reader = result.stream.getReader();
    // The AI SDK reads a page as a stream without events.
    if (/^text\/html/i.test(result.response?.headers?.["content-type"] ?? ""))
      throw new PageError("it is an HTML page");
    for (let ended = false; !ended;) {
      reading = true;
      const { done, value } = await orAborted(reader.read(), link.signal);
      reading = false;
      ended = done ? mapper.end() : mapper.part(value, emit);
      yield* chunks.splice(0);
    }
    reader = undefined;
  } catch (error) {
    yield* chunks.splice(0);
    const moment = {
      apiKey: usedKey() ?? request.apiKey,
      aborted: request.signal?.aborted === true,
      reason: request.signal?.reason,
      partial: partialOf(answer, read),
    };
    throw reading ? brokenStream(error, context, moment) : toModelError(error, context, moment);
  } finally {
    link.release();
    if (reader !== undefined) {
      link.controller.abort();
      void reader.cancel().catch(() => undefined);
    }
  }
}

function partialOf(answer: Answer, read: ReadContext | undefined): ModelResponse | undefined {
  return read === undefined || answer.slots.length === 0 ? undefined : readAnswer(answer, read, true);
}

async function prepare(
  request: ModelRequest,
  context: ModelContext,
  connect: Connect,
  signal: AbortSignal,
): Promise<Connected & { readonly built: BuiltRequest }> {
  const connected = connect(request);
  const urls = await connected.model.supportedUrls;
  return { ...connected, built: buildRequest(request, context, urls, signal) };
}

async function callWhole(
  model: AiSdkModel,
  { options }: BuiltRequest,
): Promise<LanguageModelV3GenerateResult | LanguageModelV4GenerateResult> {
  return model.specificationVersion === "v3"
    ? model.doGenerate(optionsForVersion3(options))
    : model.doGenerate(options);
}

async function callStreamed(
  model: AiSdkModel,
  { options }: BuiltRequest,
): Promise<{
  readonly stream: ReadableStream<StreamPart>;
  readonly response?: { readonly headers?: Readonly<Record<string, string>> | undefined } | undefined;
}> {
  return model.specificationVersion === "v3" ? model.doStream(optionsForVersion3(options)) : model.doStream(options);
}

function optionsForVersion3({
  prompt,
  reasoning: _reasoning,
  ...options
}: BuiltRequest["options"]): LanguageModelV3CallOptions {
  return { ...options, prompt: promptForVersion3(prompt) };
}

/** The result of a call, or the abort of its signal, because a model may ignore the signal. */
async function orAborted<T>(result: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new DOMException("The call was aborted.", "AbortError"));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([result, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
