import type { JsonSchema } from "../contracts/json.ts";

/** Returns a value with the defaults of its schema in place of what is missing; the same value if nothing is. */
export type FillDefaults = (value: unknown) => unknown;

/**
 * Prepares the defaults of a JSON Schema. A property that is missing gets the `default` of its schema, also if it is
 * `required`: schema libraries write both for a field with a default. Values that are there, also `null`, stay.
 *
 * @returns `undefined` for a schema without defaults.
 */
export function defaultsOf(schema: JsonSchema): FillDefaults | undefined {
  const { properties, items } = schema as { readonly properties?: unknown; readonly items?: unknown };
  const fields = isMap(properties) ? Object.entries(properties).flatMap(fieldOf) : [];
  const fillItem = isMap(items) ? defaultsOf(items) : undefined;
  if (fields.length === 0 && fillItem === undefined) return undefined;
  return (value) => {
    if (Array.isArray(value)) return fillItem === undefined ? value : value.map(fillItem);
    if (!isMap(value) || fields.length === 0) return value;
    const filled = new Map(Object.entries(value));
    for (const { name, given, fill } of fields) {
      if (filled.get(name) === undefined) {
        if (given !== undefined) filled.set(name, structuredClone(given));
      } else if (fill !== undefined) filled.set(name, fill(filled.get(name)));
    }
    return Object.fromEntries(filled);
  };
}

interface Field {
  readonly name: string;
  readonly given: unknown;
  readonly fill: FillDefaults | undefined;
}

function fieldOf([name, schema]: readonly [string, unknown]): readonly Field[] {
  if (!isMap(schema)) return [];
  const given = Object.hasOwn(schema, "default") ? schema["default"] : undefined;
  const fill = defaultsOf(schema);
  return given === undefined && fill === undefined ? [] : [{ name, given, fill }];
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
