import type { ProviderState } from "./content-part.ts";

/** A call that a model asked for. */
export interface ToolCall {
  /** The id as the vendor gave it; duplicates within a run are re-keyed by the runner. */
  readonly id: string;
  /** The tool's name as registered (adapters map vendor names back). */
  readonly name: string;
  /** The raw argument text, exactly as the model wrote it; empty means `{}`. */
  readonly arguments: string;
  /** The parsed arguments, present when `arguments` is valid JSON. */
  readonly input?: unknown;
  /** The arguments held a known secret, which was taken out of them. The call runs only with those that a sealed journal keeps, and when a person approves them. */
  readonly redacted?: boolean | undefined;
  /** Opaque vendor data that belongs to the call. */
  readonly providerState?: ProviderState | undefined;
}
