import type { LanguageModelV3, LanguageModelV4 } from "@ai-sdk/provider";

/** A language model of any AI SDK provider: version 4 of its specification, or 3. */
export type AiSdkModel = LanguageModelV4 | LanguageModelV3;

/** Connection of one call, for models that are made per call. */
export interface AiSdkConnection {
  /** HTTP client of the agent, which guards the network; outside of an agent, the global `fetch`. */
  readonly fetch: typeof globalThis.fetch;
  /** Key of the call; absent unless a call has one, so that the provider reads its own variable. */
  readonly apiKey?: string;
}

/** A model, or a function that makes it for a connection. */
export type AiSdkSource = AiSdkModel | ((connection: AiSdkConnection) => AiSdkModel);
