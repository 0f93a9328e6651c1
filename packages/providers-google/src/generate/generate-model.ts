import { streamChunks } from "@bailiwick/core/provider";
import type { ModelProvider, ModelRequest } from "@bailiwick/core/provider";
import { requestJson, streamBody, type Client } from "../client.ts";
import { saysUnreadable } from "../errors.ts";
import type { ModelContext } from "../model-context.ts";
import { generateRequest } from "./request.ts";
import { readBody } from "./response.ts";
import { generateMapper } from "./stream.ts";

/** A model behind `models/{model}:generateContent` and `:streamGenerateContent`. */
export function generateModel(context: ModelContext, vendor: Client): ModelProvider {
  /** A request, and the client that repeats it without signatures that the vendor cannot read. */
  const exchange = (request: ModelRequest, stream: boolean) => {
    const built = generateRequest(request, context, stream);
    const warnings = [...built.warnings];
    const client: Client = {
      ...vendor,
      async send(method, body, asked, controller) {
        try {
          return await vendor.send(method, body, asked, controller);
        } catch (error) {
          if (!saysUnreadable(error) || !context.unreadable.giveUp(request.messages)) throw error;
          const again = generateRequest(request, context, stream);
          // Every consumer of the answer has this list.
          warnings.splice(0, warnings.length, ...again.warnings);
          return vendor.send(method, again.body, asked, controller);
        }
      },
    };
    return { ...built, warnings, client };
  };
  return {
    provider: "google",
    api: context.api,
    modelId: context.modelId,
    capabilities: context.capabilities,
    timeouts: vendor.timeouts,
    async generate(request) {
      const { body, tools, warnings, client } = exchange(request, false);
      return requestJson(client, context, request, body, (answer) =>
        readBody(answer, { context, tools, warnings, request }),
      );
    },
    stream(request) {
      const { body, tools, warnings, client } = exchange(request, true);
      return streamChunks({
        signal: request.signal,
        open: (controller) => streamBody(client, body, request, controller),
        mapper: () => generateMapper({ context, tools, warnings, request }, request.apiKey ?? client.apiKey),
      });
    },
  };
}
