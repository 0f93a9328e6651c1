import { streamChunks } from "@bailiwick/core/provider";
import type { ModelProvider } from "@bailiwick/core/provider";
import { unwrapResponse, unwrapStream } from "../answer-wrapper.ts";
import { requestJson, streamBody, type Client } from "../client.ts";
import type { ModelContext } from "../model-context.ts";
import { chatRequest } from "./request.ts";
import { readBody } from "./response.ts";
import { chatMapper } from "./stream.ts";

/** A model behind `POST /chat/completions`. */
export function chatModel(context: ModelContext, client: Client): ModelProvider {
  return {
    provider: context.compat.provider,
    api: "chat",
    modelId: context.modelId,
    capabilities: context.capabilities,
    timeouts: client.timeouts,
    async generate(request) {
      const { body, tools, warnings, wrapped } = chatRequest(request, context, false);
      return requestJson(client, context, request, body, (answer, sent) => {
        const response = readBody(answer, sent, { context, tools, warnings, request });
        return wrapped ? unwrapResponse(response) : response;
      });
    },
    stream(request) {
      const { body, tools, warnings, wrapped } = chatRequest(request, context, true);
      return streamChunks({
        signal: request.signal,
        open: (controller) => streamBody(client, body, request, controller),
        mapper: () => {
          const mapper = chatMapper({ context, tools, warnings, request }, request.apiKey ?? client.apiKey);
          return wrapped ? unwrapStream(mapper) : mapper;
        },
      });
    },
  };
}
