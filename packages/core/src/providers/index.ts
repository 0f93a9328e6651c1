export { apiError, type ApiFailure } from "./api-error.ts";
export { linkSignal, type LinkedSignal } from "./link-signal.ts";
export { mediaDataUrl, mediaSource, readDataUrl, toBase64, type MediaSource } from "./media.ts";
export { modelFailure, type FailingModel, type FailureMoment, type StatusFailure } from "./model-failure.ts";
export { modelRegistry, type ModelFactory } from "./model-registry.ts";
export { saysOverflow, showsOverflow } from "./overflow.ts";
export { parseArguments } from "./parse-arguments.ts";
export { redactHeaders, redactKey } from "./redact.ts";
export { requestWhole, type WholeRequest } from "./request-whole.ts";
export { retryAfterMs, type ReadHeader } from "./retry-after.ts";
export { createEventDecoder, type EventDecoder } from "./server-sent-events.ts";
export { strayError } from "./stray-error.ts";
export {
  bodyBytes,
  streamChunks,
  type ByteStream,
  type ChunkSource,
  type EmitChunk,
  type EventMapper,
} from "./stream-chunks.ts";
export { removeAddedNulls, strictSchema, type StrictSchema } from "./strict-schema.ts";
export { unsupportedSetting } from "./unsupported-setting.ts";
export { toolNameReader, wireToolName, type ToolNameLimits } from "./tool-names.ts";
export { wellFormed, wellFormedJson } from "../history/well-formed.ts";
