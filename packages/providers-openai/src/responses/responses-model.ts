import { requestWhole, streamChunks, unreadableState, withoutReasoning } from "@bailiwick/core/provider";
import type { ModelProvider, ModelRequest, ModelResponse, StreamChunk, Warning } from "@bailiwick/core/provider";
import { unwrapResponse, unwrapStream } from "../answer-wrapper.ts";
import { requestJson, streamBody, type Client } from "../client.ts";
import { saysUnreadable, toModelError } from "../errors.ts";
import type { ModelContext } from "../model-context.ts";
import { answerInBackground, chunksOf } from "./background.ts";
import { readBody } from "./response.ts";
import { responsesRequest } from "./request.ts";
import { responsesMapper } from "./stream.ts";

/** A model behind `POST /responses`. */
export function responsesModel(context: ModelContext, vendor: Client): ModelProvider {
  const unreadable = unreadableState(withoutReasoning);
  const build = (request: ModelRequest, stream: boolean) => {
    const lost: Warning[] = [];
    const messages = unreadable.readable(request.messages, (warning) => lost.push(warning));
    const built = responsesRequest(messages === request.messages ? request : { ...request, messages }, context, stream);
    return lost.length === 0 ? built : { ...built, warnings: [...built.warnings, ...lost] };
  };
  /** A request, and the client that repeats it without reasoning that the vendor cannot read. */
  const exchange = (request: ModelRequest, stream: boolean) => {
    const built = build(request, stream);
    const warnings = [...built.warnings];
    const client: Client = {
      ...vendor,
      async send(body, asked, controller) {
        try {
          return await vendor.send(body, asked, controller);
        } catch (error) {
          if (!saysUnreadable(error) || !unreadable.giveUp(request.messages)) throw error;
          const again = build(request, stream);
          // Changed in place, because readers of the answer hold a reference to this list.
          warnings.splice(0, warnings.length, ...again.warnings);
          return vendor.send(again.body, asked, controller);
        }
      },
    };
    return { ...built, warnings, client };
  };
  return {
    provider: context.compat.provider,
    api: "responses",
    modelId: context.modelId,
    capabilities: context.capabilities,
    timeouts: vendor.timeouts,
    async generate(request) {
      const { body, tools, warnings, wrapped, client, inBackground } = exchange(request, false);
      if (inBackground) {
        return requestWhole(request, {
          apiKey: client.apiKey,
          async ask(controller) {
            const { answer, sent } = await answerInBackground(client, body, request, context, controller);
            const response = readBody(answer, sent, { context, tools, warnings, request });
            return wrapped ? unwrapResponse(response) : response;
          },
          failure: (error, moment) => toModelError(error, context, moment),
        });
      }
      return requestJson(client, context, request, body, (answer, sent) => {
        const response = readBody(answer, sent, { context, tools, warnings, request });
        return wrapped ? unwrapResponse(response) : response;
      });
    },
    stream(request) {
      const { body, tools, warnings, wrapped, client, inBackground } = exchange(request, true);
      if (inBackground) return { [Symbol.asyncIterator]: () => inChunks(this.generate(request)) };
      return streamChunks({
        signal: request.signal,
        open: (controller) => streamBody(client, body, request, controller),
        mapper: () => {
          const mapper = responsesMapper({ context, tools, warnings, request }, request.apiKey ?? client.apiKey);
          return wrapped ? unwrapStream(mapper) : mapper;
        },
      });
    },
  };
}

async function* inChunks(answer: Promise<ModelResponse>): AsyncGenerator<StreamChunk, void, undefined> {
  yield* chunksOf(await answer);
}
