import { ToolError } from "@bailiwick/core";
import type { JsonSchema } from "@bailiwick/core";

import { isSchema } from "./egress-arguments.ts";
import { segment } from "./paths.ts";

/** A form for an answer: the answer carries only which of the form's values it is. */
export interface BoundedForm {
  /** Binary logarithm of the number of its values. */
  readonly bits: number;
  /** The form as JSON Schema. */
  readonly schema: JsonSchema;
  /**
   * The value of the form that matches an answer, rebuilt, so that the order of members and similar details are
   * dropped.
   */
  read(answer: unknown): { readonly value: unknown } | undefined;
}

/** Advice about a schema without a bound. */
const annotations: ReadonlySet<string> = new Set([
  "title",
  "description",
  "examples",
  "default",
  "$comment",
  "$schema",
]);

const deepest = 16;
const longestList = 64;

/**
 * [quarantine.extract] Reads a schema that a model wrote as a bounded form. No schema library is used: the code that
 * counts the values also reads them, so no keyword can admit more values than were counted.
 *
 * @throws ToolError `invalid_input`, which names the unbounded place and what to write instead.
 */
export function boundedForm(schema: unknown, path = "", depth = 0): BoundedForm {
  if (depth > deepest) throw refused(path, `is nested deeper than ${deepest} levels`);
  if (!isSchema(schema)) throw refused(path, "is not JSON Schema object");
  const words = wordsOf(schema);
  const form = formOf(schema, path, depth);
  return words === undefined ? form : { ...form, schema: { ...form.schema, description: words } };
}

function wordsOf({ description }: JsonSchema): string | undefined {
  return typeof description === "string" ? description : undefined;
}

function formOf(schema: JsonSchema, path: string, depth: number): BoundedForm {
  if ("const" in schema) return scalars(schema, [schema["const"]], path, "const");
  if (Array.isArray(schema["enum"])) return scalars(schema, schema["enum"] as readonly unknown[], path, "enum");
  const { anyOf, type } = schema as { readonly anyOf?: unknown; readonly type?: unknown };
  if (Array.isArray(anyOf)) {
    only(schema, ["anyOf"], path);
    return choice(
      (anyOf as readonly unknown[]).map((each) => boundedForm(each, path, depth + 1)),
      path,
    );
  }
  if (Array.isArray(type)) {
    const { type: _types, ...rest } = schema;
    return choice(
      (type as readonly unknown[]).map((each) => formOf(relevant({ ...rest, type: each }), path, depth + 1)),
      path,
    );
  }
  switch (type) {
    case "boolean":
      return scalars(schema, [true, false], path, "boolean");
    case "null":
      return scalars(schema, [null], path, "null");
    case "integer":
      return integers(schema, path);
    case "array":
      return lists(schema, path, depth);
    case "object":
      return objects(schema, path, depth);
    case "string":
      throw refused(path, `is free text, which is not bounded: list what it may be with "enum"`);
    case "number":
      throw refused(path, `is an open number, which is not bounded: use "integer" with "minimum" and "maximum"`);
    default:
      throw refused(path, `has no type that can be bounded: use boolean, enum, const, integer, null, object or array`);
  }
}

/** The keywords for one type of a schema with several types. */
function relevant(schema: JsonSchema): JsonSchema {
  const own: Readonly<Record<string, readonly string[]>> = {
    integer: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
    array: ["items", "minItems", "maxItems"],
    object: ["properties", "required", "additionalProperties"],
  };
  const kept = own[String(schema["type"])] ?? [];
  const others = Object.values(own).flat();
  return Object.fromEntries(Object.entries(schema).filter(([key]) => kept.includes(key) || !others.includes(key)));
}

/** An unknown keyword would be a promise without a check. */
function only(schema: JsonSchema, known: readonly string[], path: string): void {
  for (const key of Object.keys(schema)) {
    if (known.includes(key) || annotations.has(key)) continue;
    throw refused(path, `has ${JSON.stringify(key)}, which cannot be used here`);
  }
}

function scalars(schema: JsonSchema, given: readonly unknown[], path: string, keyword: string): BoundedForm {
  only(schema, ["const", "enum", "type"], path);
  const values = [...new Set(given)];
  if (values.length === 0) throw refused(path, "has an empty enum");
  if (values.some((value) => typeof value === "object" && value !== null))
    throw refused(path, `may list texts, numbers, booleans and null only`);
  const written: JsonSchema = keyword === "boolean" || keyword === "null" ? { type: keyword } : { enum: values };
  return {
    bits: Math.log2(values.length),
    schema: written,
    read: (answer) => {
      const at = values.indexOf(answer);
      return at < 0 ? undefined : { value: values[at] };
    },
  };
}

function integers(schema: JsonSchema, path: string): BoundedForm {
  only(schema, ["type", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"], path);
  const low = bound(schema["minimum"], schema["exclusiveMinimum"], 1);
  const high = bound(schema["maximum"], schema["exclusiveMaximum"], -1);
  if (low === undefined || high === undefined || high < low)
    throw refused(path, `is an integer without "minimum" and "maximum" that are whole numbers in order`);
  return {
    bits: Math.log2(high - low + 1),
    schema: { type: "integer", minimum: low, maximum: high },
    // Adding zero turns negative zero into zero, which JSON writes differently.
    read: (answer) =>
      Number.isSafeInteger(answer) && (answer as number) >= low && (answer as number) <= high
        ? { value: (answer as number) + 0 }
        : undefined,
  };
}

function bound(inclusive: unknown, exclusive: unknown, step: number): number | undefined {
  const value = inclusive ?? (typeof exclusive === "number" ? exclusive + step : undefined);
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}

function lists(schema: JsonSchema, path: string, depth: number): BoundedForm {
  only(schema, ["type", "items", "minItems", "maxItems"], path);
  const { minItems: least = 0, maxItems: most } = schema as {
    readonly minItems?: unknown;
    readonly maxItems?: unknown;
  };
  if (!isCount(least) || !isCount(most) || most < least || most > longestList)
    throw refused(path, `is a list without "maxItems" of at most ${longestList}`);
  const item = boundedForm(schema["items"], `${path}[]`, depth + 1);
  const lengths = Array.from({ length: most - least + 1 }, (_, index) => (least + index) * item.bits);
  return {
    bits: sum(lengths),
    schema: { type: "array", items: item.schema, minItems: least, maxItems: most },
    read: (answer) => {
      if (!Array.isArray(answer) || answer.length < least || answer.length > most) return undefined;
      const items = (answer as readonly unknown[]).map((each) => item.read(each));
      return items.every((each) => each !== undefined) ? { value: items.map(({ value }) => value) } : undefined;
    },
  };
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

function objects(schema: JsonSchema, path: string, depth: number): BoundedForm {
  only(schema, ["type", "properties", "required", "additionalProperties"], path);
  const {
    properties,
    required = [],
    additionalProperties = false,
  } = schema as {
    readonly properties?: unknown;
    readonly required?: unknown;
    readonly additionalProperties?: unknown;
  };
  if (!isSchema(properties)) throw refused(path, `is an object without "properties"`);
  if (additionalProperties !== false)
    throw refused(path, `is open: leave "additionalProperties" out, or set it to false`);
  const needed = new Set(Array.isArray(required) ? (required as readonly unknown[]) : []);
  const members = Object.entries(properties).map(([key, each]) => ({
    key,
    form: boundedForm(each, segment(path, key), depth + 1),
    optional: !needed.has(key),
  }));
  return {
    // The absence of an optional member is one more value of it.
    bits: members.reduce((bits, { form, optional }) => bits + (optional ? sum([form.bits, 0]) : form.bits), 0),
    schema: {
      type: "object",
      properties: Object.fromEntries(members.map(({ key, form }) => [key, form.schema])),
      required: members.filter(({ optional }) => !optional).map(({ key }) => key),
      additionalProperties: false,
    },
    read: (answer) => readMembers(answer, members),
  };
}

function readMembers(
  answer: unknown,
  members: readonly { readonly key: string; readonly form: BoundedForm; readonly optional: boolean }[],
): { readonly value: unknown } | undefined {
  if (!isSchema(answer)) return undefined;
  const entries: [string, unknown][] = [];
  for (const { key, form, optional } of members) {
    if (!Object.hasOwn(answer, key)) {
      if (optional) continue;
      return undefined;
    }
    const read = form.read(answer[key]);
    if (read === undefined) return undefined;
    entries.push([key, read.value]);
  }
  const known = new Set(members.map(({ key }) => key));
  return Object.keys(answer).every((key) => known.has(key)) ? { value: Object.fromEntries(entries) } : undefined;
}

/** The first alternative that fits an answer wins. */
function choice(alternatives: readonly BoundedForm[], path: string): BoundedForm {
  if (alternatives.length === 0) throw refused(path, "has an empty choice");
  return {
    bits: sum(alternatives.map(({ bits }) => bits)),
    schema: { anyOf: alternatives.map(({ schema }) => schema) },
    read: (answer) => {
      for (const alternative of alternatives) {
        const read = alternative.read(answer);
        if (read !== undefined) return read;
      }
      return undefined;
    },
  };
}

/** Adds numbers that are given, and returned, as binary logarithms. */
export function sum(logarithms: readonly number[]): number {
  const most = Math.max(...logarithms);
  return most + Math.log2(logarithms.reduce((total, each) => total + 2 ** (each - most), 0));
}

function refused(path: string, problem: string): ToolError {
  return new ToolError(`The schema${path === "" ? "" : ` at ${path}`} ${problem}. Nothing was read.`, {
    kind: "invalid_input",
  });
}
