/**
 * Models of the AI SDK's provider packages as Bailiwick models.
 *
 * @module
 */
export { aiSdk } from "./ai-sdk.ts";
export type { AiSdkConnection, AiSdkModel, AiSdkSource } from "./ai-sdk-model.ts";
export { aiSdkEmbedder } from "./embedder.ts";
export type { AiSdkEmbedderOptions, AiSdkEmbeddingModel } from "./embedder.ts";
export { hostedTool } from "./hosted-tool.ts";
export type { AiSdkProviderTool } from "./hosted-tool.ts";
export { aiSdkReranker } from "./reranker.ts";
export type { AiSdkRerankerOptions, AiSdkRerankingModel } from "./reranker.ts";
export type { AiSdkOptions } from "./options.ts";
