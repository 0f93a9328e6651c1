import { bearerToken, postTo } from "../wire-paths.ts";
import type { Wire } from "../wire.ts";
import { anthropicErrorResponse, errorObject } from "./anthropic-error.ts";
import { messagesConversationRefusals } from "./conversation-refusals.ts";
import { decodeMessagesRequest } from "./decode-request.ts";
import { encodeMessagesJson } from "./encode-json.ts";
import { encodeMessagesStream } from "./encode-stream.ts";
import { messagesGenerationRefusals } from "./generation-refusals.ts";
import { messagesMediaRefusals } from "./media-refusals.ts";
import { messagesShapeRefusals } from "./shape-refusals.ts";
import { messagesThinkingRefusals } from "./thinking-refusals.ts";
import { messagesToolRefusals } from "./tool-refusals.ts";

/** Anthropic Messages: `POST /v1/messages`. */
export const messagesWire: Wire = {
  name: "anthropic-messages",
  match: postTo(/^\/v1\/messages$/),
  key: (headers) => headers["x-api-key"] || bearerToken(headers),
  decode: decodeMessagesRequest,
  refusals: [
    ...messagesShapeRefusals,
    ...messagesToolRefusals,
    ...messagesThinkingRefusals,
    ...messagesConversationRefusals,
    ...messagesMediaRefusals,
    ...messagesGenerationRefusals,
  ],
  unplayable: (body) => ["container", "mcp_servers"].find((name) => body[name] != null),
  encodeJson: encodeMessagesJson,
  encodeStream: encodeMessagesStream,
  headers: (ids) => ({ "request-id": ids.next("req_011C", 20) }),
  errorResponse: anthropicErrorResponse,
  errorEvents: (error) => [{ event: "error", data: errorObject(error) }],
};
