import type { ErrorResponse, Wire } from "../wire.ts";
import type { WireError } from "../wire-error.ts";
import { bearerToken, postTo } from "../wire-paths.ts";
import { decodeOllamaRequest } from "./decode-request.ts";
import { encodeOllamaJson, encodeOllamaStream } from "./encode-answer.ts";
import { ollamaRefusals } from "./refusals.ts";

/** Ollama's own API: `POST /api/chat`. */
export const ollamaWire: Wire = {
  name: "ollama-chat",
  match: postTo(/^\/api\/chat$/),
  key: bearerToken,
  decode: decodeOllamaRequest,
  refusals: ollamaRefusals,
  unplayable: () => undefined,
  encodeJson: encodeOllamaJson,
  encodeStream: encodeOllamaStream,
  headers: () => ({}),
  errorResponse,
  // The status has been sent: only a line can report the failure (https://docs.ollama.com/api/errors).
  errorEvents: ({ message }) => [{ data: { error: message } }],
};

function errorResponse(error: WireError): ErrorResponse {
  const wait = error.retryAfterSeconds === undefined ? {} : { "retry-after": String(error.retryAfterSeconds) };
  return {
    status: error.status,
    headers: { ...wait, ...error.headers },
    body: error.body ?? { error: error.message },
  };
}
