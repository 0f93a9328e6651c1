import type { JsonSchema } from "../contracts/json.ts";
import { isSameJson } from "../json/canonical-json.ts";
import { expand, itemsOf, memberOf, type Position } from "./schema-paths.ts";

/** The place of a value inside another: names of members and positions in lists. */
export type ValuePath = readonly (string | number)[];

/**
 * The places of a parsed value that were absent in the arguments and hold the default that the schema declares for
 * them. Any other value that a schema makes may depend on the arguments, so it does not count.
 *
 * @param schema - JSON Schema of the arguments.
 * @param given - The arguments.
 * @param value - What the schema made of them.
 */
export function defaultsIn(schema: JsonSchema, given: unknown, value: unknown): readonly ValuePath[] {
  const found: ValuePath[] = [];
  walk(given, value, [schema], []);
  return found;

  function walk(before: unknown, after: unknown, raw: readonly Position[], path: ValuePath): void {
    const isAbsent = before === undefined;
    if (isAbsent && raw.some((one) => one !== true && "default" in one && isSameJson(one["default"], after))) {
      found.push(path);
      return;
    }
    const positions = raw.flatMap((one) => (one === true ? [] : expand(one, schema)));
    if (Array.isArray(after)) {
      if (!isAbsent && (!Array.isArray(before) || before.length !== after.length)) return;
      after.forEach((item: unknown, index) => {
        const old: unknown = isAbsent ? undefined : (before as readonly unknown[])[index];
        walk(old, item, positions.flatMap(itemsOf), [...path, index]);
      });
    } else if (isRecord(after) && (isAbsent || isRecord(before))) {
      for (const [key, member] of Object.entries(after)) {
        const old = isRecord(before) && Object.hasOwn(before, key) ? before[key] : undefined;
        const inside = positions.flatMap((one) => memberOf(one, key));
        walk(old, member, inside, [...path, key]);
      }
    }
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
