import type { JsonSchema } from "../../contracts/json.ts";
import { suggestion } from "../../errors/value-checks.ts";
import type { PathStep } from "../../tools/paths.ts";
import { schemaHasPath } from "../../tools/schema-paths.ts";

/**
 * Finds a field of edited arguments that the tool does not have and the model did not write. A schema that drops
 * unknown fields would drop it silently, and the call would run as if the person had changed nothing.
 *
 * @param schema - The tool's input schema.
 * @param edited - The arguments as a person edited them.
 * @param before - The arguments that the person was shown.
 * @returns the field with the name that was probably meant, as the end of a sentence.
 */
export function unknownField(schema: JsonSchema, edited: unknown, before: unknown): string | undefined {
  return find(edited, before, []);

  function find(value: unknown, shown: unknown, steps: readonly PathStep[]): string | undefined {
    if (typeof value !== "object" || value === null) return undefined;
    if (Array.isArray(value)) {
      const items = Array.isArray(shown) ? (shown as readonly unknown[]) : [];
      return firstOf(value, (item, index) => find(item, items[Number(index)], [...steps, { items: true }]));
    }
    const known = typeof shown === "object" && shown !== null ? (shown as Readonly<Record<string, unknown>>) : {};
    return firstOf(value, (member, key) => {
      const path = [...steps, { key }];
      if (!Object.hasOwn(known, key) && !schemaHasPath(schema, path)) return described(path, Object.keys(known));
      return find(member, Object.hasOwn(known, key) ? known[key] : undefined, path);
    });
  }
}

function firstOf(value: object, find: (member: unknown, key: string) => string | undefined): string | undefined {
  for (const [key, member] of Object.entries(value)) {
    const found = find(member, key);
    if (found !== undefined) return found;
  }
  return undefined;
}

function described(path: readonly PathStep[], shown: readonly string[]): string {
  const name = path.map((step) => ("key" in step ? step.key : "[]")).join(".");
  const last = path.at(-1);
  return `the tool has no field "${name}"${last !== undefined && "key" in last ? suggestion(last.key, shown) : ""}`;
}
