import { postTo } from "../wire-paths.ts";
import { objectOf } from "../json.ts";
import type { Wire } from "../wire.ts";
import { generateContentRefusals } from "./content-refusals.ts";
import { decodeGenerateRequest } from "./decode-request.ts";
import { encodeGenerateJson, encodeGenerateStream } from "./encode-answer.ts";
import { errorObject, googleErrorResponse } from "./google-error.ts";
import { generateMediaRefusals } from "./media-refusals.ts";
import { generateRequestRefusals } from "./request-refusals.ts";

const matchPath = postTo(
  /^\/v1(?:beta|alpha)?\/models\/(?<model>[^/:]+):(?<method>generateContent|streamGenerateContent)$/,
);

/** Gemini: `POST /v1beta/models/{model}:generateContent` and `:streamGenerateContent?alt=sse`. */
export const generateWire: Wire = {
  name: "google-generate",
  match: (method, url) => {
    const route = matchPath(method, url);
    return route?.stream === true && url.searchParams.get("alt") !== "sse" ? undefined : route;
  },
  key: (headers, url) => headers["x-goog-api-key"] || (url.searchParams.get("key") ?? undefined),
  decode: decodeGenerateRequest,
  refusals: [...generateRequestRefusals, ...generateContentRefusals, ...generateMediaRefusals],
  unplayable: (body) => {
    if (body["cachedContent"] != null) return "cachedContent";
    const count = objectOf(body["generationConfig"])["candidateCount"];
    return count != null && count !== 1 ? "candidateCount" : undefined;
  },
  encodeJson: encodeGenerateJson,
  encodeStream: encodeGenerateStream,
  headers: () => ({ vary: "Origin, X-Origin, Referer" }),
  errorResponse: googleErrorResponse,
  errorEvents: (error) => [{ data: errorObject(error) }],
};
