/**
 * Entry point for authors of model providers: the contract of a model, the history compiler, and the parts that
 * every adapter shares (failures, streams, usage, schemas, media).
 *
 * @module provider
 */
export type {
  AssistantPart,
  ContentPart,
  FilePart,
  FileUrlPart,
  HostedToolPart,
  ImageMimeType,
  ImagePart,
  ProviderState,
  SourcePart,
} from "./contracts/content-part.ts";
export type { FinishReason } from "./contracts/finish-reason.ts";
export type { JsonSchema, JsonValue } from "./contracts/json.ts";
export type { AssistantMessage, Message, SystemMessage, ToolMessage } from "./contracts/message.ts";
export type {
  BackgroundAnswer,
  FunctionToolDefinition,
  HostedTool,
  MediaRules,
  ModelCapabilities,
  ModelProvider,
  ModelRequest,
  ModelTimeouts,
  ToolChoice,
  ToolDefinition,
} from "./contracts/model-provider.ts";
export type { ModelResponse, Warning } from "./contracts/model-response.ts";
export type { Embedder, RankedText, Reranker } from "./contracts/ports/memories.ts";
export type { Logger } from "./contracts/ports/logger.ts";
export type { ReasoningConfig } from "./contracts/reasoning-config.ts";
export type { StreamChunk } from "./contracts/stream-chunk.ts";
export type { BilledRequest, TokenUsage } from "./contracts/token-usage.ts";
export type { ToolCall } from "./contracts/tool-call.ts";
export type { SideEffectClass } from "./contracts/vocabularies.ts";
export { checkTimeout } from "./errors/check-timeout.ts";
export { ConfigurationError } from "./errors/configuration-errors.ts";
export { checkArgument, checkKnownNames } from "./errors/value-checks.ts";
export { ContextOverflowError, ModelApiError, ModelError, ModelResponseError } from "./errors/model-errors.ts";
export { compileHistory } from "./history/compile-history.ts";
export type { FromChatMessageOptions } from "./history/from-chat-message.ts";
export { createHistoryCompiler, type HistoryCompiler } from "./history/history-compiler.ts";
export { historyTarget, type CompiledHistory, type HistoryTarget } from "./history/provenance.ts";
export type { WireChatMessage, WireChatPart, WireChatToolCall } from "./contracts/wire-chat-message.ts";
export { wellFormed, wellFormedJson } from "./json/well-formed.ts";
export { knownModel, knownModels } from "./models/known-models.ts";
export type { KnownModel } from "./models/known-model.ts";
export { billedCost, type BilledCost } from "./models/billed-cost.ts";
export { ageOfRow, outdatedAfterDays } from "./models/row-age.ts";
export type { ModelPrice } from "./contracts/model-price.ts";
export { answerJson, isPage, PageError } from "./providers/answer-json.ts";
export { apiError, type ApiFailure } from "./providers/api-error.ts";
export type { EmitChunk, EventMapper } from "./providers/event-mapper.ts";
export { checkBaseURL, checkModelId } from "./providers/check-model.ts";
export { createEmbedder, type EmbeddingAnswer, type EmbeddingModel } from "./providers/embedding/create-embedder.ts";
export { checkEmbedderSettings, embedderOptionNames } from "./providers/embedding/embedder-options.ts";
export type { EmbedderSettings, EmbeddingUsage } from "./providers/embedding/embedder-options.ts";
export { eventJson } from "./providers/event-json.ts";
export { filledObject, isJsonObject, jsonObjects, jsonText } from "./providers/json-shapes.ts";
export { linkSignal, type LinkedSignal } from "./providers/link-signal.ts";
export { toBase64 } from "./json/base64.ts";
export { mediaDataUrl, mediaSource, readDataUrl, type MediaSource } from "./providers/media.ts";
export { modelFailure, type FailingModel, type FailureMoment, type StatusFailure } from "./providers/model-failure.ts";
export { beginningOf } from "./providers/foreign-text.ts";
export { saysOverflow, showsOverflow } from "./providers/overflow.ts";
export { modelTimeouts } from "./providers/model-timeouts.ts";
export { parseArguments } from "./providers/parse-arguments.ts";
export { redactHeaders, redactKey } from "./providers/redact.ts";
export { requestWithRetries, type RetriedModel } from "./providers/request-with-retries.ts";
export { requestWhole, type WholeRequest } from "./providers/request-whole.ts";
export { responseOf, type ReadResponse } from "./providers/response-of.ts";
export { retryAfterMs, type ReadHeader } from "./providers/retry-after.ts";
export { createEventDecoder, type EventDecoder } from "./providers/server-sent-events.ts";
export { strayError } from "./providers/stray-error.ts";
export { bodyBytes, streamChunks, type ByteStream, type ChunkSource } from "./providers/stream-chunks.ts";
export { removeAddedNulls, strictSchema, type StrictSchema } from "./providers/strict-schema.ts";
export { mapSchemas } from "./providers/tool-schema/map-schemas.ts";
export { objectSchema } from "./providers/tool-schema/object-schema.ts";
export { resolveReference } from "./providers/tool-schema/resolve-ref.ts";
export { tellKeywords } from "./providers/tool-schema/tell-keywords.ts";
export { validSchema } from "./providers/tool-schema/valid-schema.ts";
export { wholeCharacters } from "./providers/whole-characters.ts";
export { toolNameReader, wireToolName, type ToolNameLimits } from "./providers/tool-names.ts";
export { unreadableState, withoutReasoning, type UnreadableState } from "./providers/unreadable-state.ts";
export { unknownContent } from "./providers/unknown-content.ts";
export { unsupportedSetting } from "./providers/unsupported-setting.ts";
