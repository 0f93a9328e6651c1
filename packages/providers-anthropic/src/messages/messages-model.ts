import { answerJson, bodyBytes, requestWhole, streamChunks } from "@bailiwick/core/provider";
import type { ModelProvider, ModelResponse, ByteStream } from "@bailiwick/core/provider";
import type { Client } from "../client.ts";
import { toModelError } from "../errors.ts";
import type { ModelContext } from "../model-context.ts";
import { startExchange } from "./exchange.ts";
import { checkResponse, readBody, readResponse, type MessageObject } from "./response.ts";
import { messagesMapper, type MessagesMapper } from "./stream.ts";

/** A model behind `POST /v1/messages`. */
export function messagesModel(context: ModelContext, client: Client): ModelProvider {
  return {
    provider: "anthropic",
    api: "messages",
    modelId: context.modelId,
    capabilities: context.capabilities,
    timeouts: client.timeouts,
    async generate(request) {
      const exchange = startExchange(request, context, client, false);
      const messages: MessageObject[] = [];
      const read = () => ({ context, tools: exchange.built().tools, warnings: exchange.built().warnings, request });
      const ask = async (controller: AbortController): Promise<ModelResponse> => {
        const raw: unknown[] = [];
        do {
          const answer =
            messages.length === 0 ? await exchange.begin(controller) : await exchange.goOn(messages, controller);
          raw.push(answerJson(await answer.text()));
          messages.push(
            readBody(raw.at(-1), context, { apiKey: request.apiKey ?? client.apiKey, headers: answer.headers }),
          );
        } while (exchange.pauses(messages));
        const response = readResponse(messages, read());
        checkResponse(response, messages.at(-1), read());
        return { ...response, raw: raw.length === 1 ? raw[0] : raw };
      };
      const partial = () => (messages.length === 0 ? undefined : readResponse(messages, read(), true));
      return requestWhole(request, {
        apiKey: client.apiKey,
        ask,
        failure: (error, moment) => toModelError(error, context, { ...moment, partial: partial() }),
      });
    },
    stream(request) {
      const exchange = startExchange(request, context, client, true);
      let mapper: MessagesMapper;
      return streamChunks({
        signal: request.signal,
        mapper: () => (mapper = messagesMapper(exchange, request, context, request.apiKey ?? client.apiKey)),
        async open(controller) {
          const own = mapper;
          const body = bodyBytes(await exchange.begin(controller));
          if (!exchange.mayPause) return body;
          return joinBodies(body, async () => {
            const paused = own.paused();
            return paused === undefined ? undefined : bodyBytes(await exchange.goOn(paused, controller));
          });
        },
      });
    },
  };
}

/**
 * Joins the bodies of answers that continue each other. The next one is requested when the previous one has been
 * read.
 *
 * @param first - The first body.
 * @param next - Requests the next body; `undefined` if there is none.
 * @yields the bytes as they come.
 */
async function* joinBodies(
  first: ByteStream,
  next: () => Promise<ByteStream | undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let body: ByteStream | undefined = first; body !== undefined; body = await next()) yield* body;
}
