import type { ModelProvider } from "@bailiwick/core";
import type { ModelServerVendor } from "../model-server/index.ts";
import type { ChatReasoningField } from "../model-server/wire.ts";

/** The server to which a model under test sends its requests. */
export interface ConformanceServer {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** A key that the server accepts. */
  readonly apiKey: string;
  /**
   * The base URL for the vendor's SDK.
   *
   * @param vendor - The vendor whose protocol the SDK speaks.
   */
  baseURL(vendor: ModelServerVendor): string;
}

/**
 * Makes the model under test; called once for each server.
 *
 * @param server - Address and key of the server that plays the vendor.
 */
export type CreateModel = (server: ConformanceServer) => ModelProvider;

/** Features that the protocol under test lacks; their cases are left out. */
export interface ConformanceTraits {
  /** True if thinking can be read. Default `true`. */
  readonly showsReasoning?: boolean | undefined;
  /** Reasoning in Chat Completions. Default: hidden, as OpenAI does. */
  readonly chatReasoning?: ChatReasoningField | undefined;
  /** Set to `false` if the answer does not name its model. Default `true`. */
  readonly namesResponseModel?: boolean | undefined;
  /** True if a refusal with text can be distinguished from an answer. Default `true`. */
  readonly tellsRefusals?: boolean | undefined;
  /** True if arguments keep the exact text of the model, even if it is not JSON. Default `true`. */
  readonly rawArguments?: boolean | undefined;
  /** True if the vendor gives calls ids; else the adapter makes them, new in each answer. Default `true`. */
  readonly callIds?: boolean | undefined;
  /** True if the vendor reports the cached tokens of a prompt. Default `true`. */
  readonly tellsCachedTokens?: boolean | undefined;
  /** True if an answer may be empty; otherwise it is an error that can be retried. Default `true`. */
  readonly emptyAnswers?: boolean | undefined;
  /** Events of a stream that come before its first output. Default 1. */
  readonly openingEvents?: number | undefined;
  /** Number of bytes between the positions at which an answer is split. Default 1: everywhere. */
  readonly splitEvery?: number | undefined;
  /** Number of random runs of the prefix property. Default 25. */
  readonly runs?: number | undefined;
}

/** One requirement of an adapter. */
export interface ConformanceCase {
  /** A sentence, with the ids of the specification in brackets. */
  readonly name: string;
  /**
   * Runs it.
   *
   * @throws AssertionError that says what differed.
   */
  readonly run: () => Promise<void>;
}

/** Options of the cases. */
export interface ConformanceSetup {
  readonly createModel: CreateModel;
  readonly traits: ConformanceTraits;
}
