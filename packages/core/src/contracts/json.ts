/** A value that survives `JSON.stringify` and `JSON.parse` unchanged. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A JSON Schema document, draft 2020-12 (or draft-07 where a library offers no newer one). */
export type JsonSchema = Readonly<Record<string, unknown>>;
