import type { ModelServerWire } from "@bailiwick/testing/model-server";

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** An answer in the form of a vendor's page, as a stream of events or as one body. */
export interface WrittenAnswer {
  /** The folder of recordings whose adapters read it. */
  readonly vendor: string;
  /** The AI SDK has no adapter for Ollama's own API. */
  readonly wire: Exclude<ModelServerWire, "ollama-chat">;
  /** Page that shows answers of this form. */
  readonly page: string;
  readonly events?: readonly Fields[];
  readonly body?: Fields;
}
