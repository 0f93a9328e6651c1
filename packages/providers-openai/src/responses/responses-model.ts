import { streamChunks } from "@bailiwick/core";
import type { ModelProvider } from "@bailiwick/core";
import { unwrapResponse, unwrapStream } from "../answer-wrapper.ts";
import { requestJson, streamBody, type Client } from "../client.ts";
import type { ModelContext } from "../model-context.ts";
import { readBody } from "./response.ts";
import { responsesRequest } from "./request.ts";
import { responsesMapper } from "./stream.ts";

/** A model behind `POST /responses`. */
export function responsesModel(context: ModelContext, client: Client): ModelProvider {
  return {
    provider: context.compat.provider,
    api: "responses",
    modelId: context.modelId,
    capabilities: context.capabilities,
    async generate(request) {
      const { body, tools, warnings, wrapped } = responsesRequest(request, context, false);
      return requestJson(client, context, request, body, (answer, sent) => {
        const response = readBody(answer, sent, { context, tools, warnings });
        return wrapped ? unwrapResponse(response) : response;
      });
    },
    stream(request) {
      const { body, tools, warnings, wrapped } = responsesRequest(request, context, true);
      return streamChunks({
        signal: request.signal,
        open: (controller) => streamBody(client, body, request, controller),
        mapper: () => {
          const mapper = responsesMapper({ context, tools, warnings }, request, request.apiKey ?? client.apiKey);
          return wrapped ? unwrapStream(mapper) : mapper;
        },
      });
    },
  };
}
