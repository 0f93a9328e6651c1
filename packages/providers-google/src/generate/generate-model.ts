import { streamChunks } from "@bailiwick/core";
import type { ModelProvider } from "@bailiwick/core";
import { requestJson, streamBody, type Client } from "../client.ts";
import type { ModelContext } from "../model-context.ts";
import { generateRequest } from "./request.ts";
import { readBody } from "./response.ts";
import { generateMapper } from "./stream.ts";

/** A model behind `models/{model}:generateContent` and `:streamGenerateContent`. */
export function generateModel(context: ModelContext, client: Client): ModelProvider {
  return {
    provider: "google",
    api: context.api,
    modelId: context.modelId,
    capabilities: context.capabilities,
    async generate(request) {
      const { body, tools, warnings } = generateRequest(request, context);
      return requestJson(client, context, request, body, (answer) => readBody(answer, { context, tools, warnings }));
    },
    stream(request) {
      const { body, tools, warnings } = generateRequest(request, context);
      return streamChunks({
        signal: request.signal,
        open: (controller) => streamBody(client, body, request, controller),
        mapper: () => generateMapper({ context, tools, warnings }, request, request.apiKey ?? client.apiKey),
      });
    },
  };
}
