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
  /**
   * The arguments contained a known secret, which was removed. The call only runs with the ones in a sealed journal,
   * after a person approved it.
   */
  readonly redacted?: boolean | undefined;
  /**
   * Set by a program that calls tools, such as a composition: `code` if the developer's code chose the call, which then
   * counts as asked for, and `data` if a value decided about it, such as the choice of a route. Absent for a model's call.
   */
  readonly chosenBy?: "code" | "data" | undefined;
  /** Opaque vendor data that belongs to the call. */
  readonly providerState?: ProviderState | undefined;
}
