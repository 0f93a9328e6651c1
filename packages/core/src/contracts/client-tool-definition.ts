import type { JsonSchema } from "./json.ts";
import type { SideEffectClass } from "./vocabularies.ts";

/** A tool of one run's client, as plain data that is stored with the run. */
export interface ClientToolDefinition {
  /** 1 to 128 of `A-Za-z0-9._-`. */
  readonly name: string;
  /** Shown to the model, after it was sanitized. */
  readonly description: string;
  /** JSON Schema of the arguments. Calls are validated with it before the client gets them. */
  readonly inputSchema: JsonSchema;
  /**
   * The effect of the tool, as you declare it; the client's declaration does not count. Default `external-stateful`.
   */
  readonly sideEffectClass?: SideEffectClass | undefined;
  /** Asks a person before each call. Default `false`. */
  readonly needsApproval?: boolean | undefined;
}
