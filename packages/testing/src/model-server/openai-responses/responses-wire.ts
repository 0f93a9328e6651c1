import { hexDigits } from "../../script/vendor-ids.ts";
import { openaiErrorResponse } from "../openai/openai-error.ts";
import { openaiAccessRefusals } from "../openai/openai-refusals.ts";
import { bearerToken, postTo } from "../wire-paths.ts";
import type { Wire } from "../wire.ts";
import { decodeResponsesRequest } from "./decode-request.ts";
import { encodeResponsesJson } from "./encode-json.ts";
import { encodeResponsesStream } from "./encode-stream.ts";
import { responsesErrorEvents } from "./error-events.ts";
import { responsesItemRefusals } from "./item-refusals.ts";
import { responsesMediaRefusals } from "./media-refusals.ts";
import { responsesSettingRefusals } from "./setting-refusals.ts";
import { responsesShapeRefusals } from "./shape-refusals.ts";

/** OpenAI Responses: `POST /v1/responses`. */
export const responsesWire: Wire = {
  name: "openai-responses",
  match: postTo(/^\/v1\/responses$/),
  key: bearerToken,
  decode: (body, _route, memory) => decodeResponsesRequest(body, memory),
  refusals: [
    ...openaiAccessRefusals("openai-responses"),
    ...responsesShapeRefusals,
    ...responsesSettingRefusals,
    ...responsesItemRefusals,
    ...responsesMediaRefusals,
  ],
  unplayable: (body) =>
    ["background", "conversation", "prompt"].find((name) => body[name] != null && body[name] !== false),
  encodeJson: encodeResponsesJson,
  encodeStream: encodeResponsesStream,
  headers: (ids) => ({ "x-request-id": ids.next("req_", 32, hexDigits), "openai-version": "2020-10-01" }),
  errorResponse: openaiErrorResponse,
  errorEvents: responsesErrorEvents,
};
