import type { JsonSchema } from "../contracts/json.ts";
import type { Validation } from "../contracts/resolved-tool.ts";

/**
 * Checks a value; synchronous if the schema is.
 *
 * @param value - The value to check, such as the arguments that the model wrote.
 */
export type Validate = (value: unknown) => Validation | Promise<Validation>;

/** A schema as the framework uses it: converted once, when it is registered. */
export interface CompiledSchema {
  /** The schema as JSON Schema, as models and servers receive it. */
  readonly jsonSchema: JsonSchema;
  /** Validates a value, and returns the parsed value or the problems. */
  readonly validate: Validate;
  /** Losses of the conversion, as sentences. */
  readonly notes: readonly string[];
}
