import { hexDigits } from "../../script/vendor-ids.ts";
import { errorObject, openaiErrorResponse } from "../openai/openai-error.ts";
import { openaiAccessRefusals } from "../openai/openai-refusals.ts";
import { bearerToken, postTo } from "../wire-paths.ts";
import type { Wire } from "../wire.ts";
import { decodeChatRequest } from "./decode-request.ts";
import { encodeChatJson } from "./encode-json.ts";
import { encodeChatStream } from "./encode-stream.ts";
import { chatMediaRefusals } from "./media-refusals.ts";
import { chatMessageRefusals } from "./message-refusals.ts";
import { serverMessageRefusals } from "./server-message-refusals.ts";
import { serverSchemaRefusals } from "./server-schema-refusals.ts";
import { serverSettingRefusals } from "./server-setting-refusals.ts";
import { chatSettingRefusals } from "./setting-refusals.ts";

/** OpenAI Chat Completions: `POST /v1/chat/completions`. */
export const chatWire: Wire = {
  name: "openai-chat",
  match: postTo(/^\/v1\/chat\/completions$/),
  key: bearerToken,
  decode: decodeChatRequest,
  refusals: [
    ...openaiAccessRefusals("openai-chat"),
    ...serverMessageRefusals,
    ...serverSettingRefusals,
    ...serverSchemaRefusals,
    ...chatMessageRefusals,
    ...chatMediaRefusals,
    ...chatSettingRefusals,
  ],
  unplayable: (body) => (body["n"] != null && body["n"] !== 1 ? "n" : undefined),
  encodeJson: encodeChatJson,
  encodeStream: encodeChatStream,
  headers: (ids) => ({ "x-request-id": ids.next("req_", 32, hexDigits), "openai-version": "2020-10-01" }),
  errorResponse: openaiErrorResponse,
  errorEvents: (error) => [{ data: { error: errorObject(error) } }],
};
