import { isJsonObject, wireToolName } from "@bailiwick/core/provider";
import type { JsonSchema } from "@bailiwick/core/provider";

/**
 * Names of arguments as the vendor accepts them: "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'"
 * (https://github.com/anthropics/claude-code/issues/79418).
 */
const limits = { pattern: /^[a-zA-Z0-9_.-]+$/, maxLength: 64 };

/** A schema with names that the vendor accepts, and the mapping back. */
export interface NamedSchema {
  readonly schema: JsonSchema;
  /** The tool's own name of an argument, by its name on the wire; only names that had to change. */
  readonly ownNames: ReadonlyMap<string, string>;
}

/**
 * Renames the arguments of a tool if the vendor refuses their names.
 *
 * @param schema - The schema of the arguments, an object.
 */
export function nameProperties(schema: JsonSchema): NamedSchema {
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const wireName = (name: string): string => wireToolName(name, limits);
  const changed = Object.keys(properties).filter((name) => wireName(name) !== name);
  if (changed.length === 0) return { schema, ownNames: new Map() };
  const required = Array.isArray(schema["required"]) ? (schema["required"] as readonly string[]) : [];
  return {
    schema: {
      ...schema,
      properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [wireName(name), value])),
      ...(required.length === 0 ? {} : { required: required.map(wireName) }),
    },
    ownNames: new Map(changed.map((name) => [wireName(name), name])),
  };
}

/**
 * Arguments under the tool's own names.
 *
 * @param parsed - The result of `parseArguments`.
 * @param ownNames - Of the tool.
 */
export function withOwnNames(
  parsed: { readonly input?: unknown },
  ownNames: ReadonlyMap<string, string> | undefined,
): { readonly input?: unknown } {
  if (ownNames === undefined || ownNames.size === 0 || !isJsonObject(parsed.input)) return parsed;
  return {
    input: Object.fromEntries(Object.entries(parsed.input).map(([name, value]) => [ownNames.get(name) ?? name, value])),
  };
}
