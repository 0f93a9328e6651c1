import type { JsonSchema } from "../../contracts/json.ts";
import { isJsonObject, jsonText } from "../json-shapes.ts";
import { resolveReference } from "./resolve-ref.ts";
import { validSchema } from "./valid-schema.ts";

type Json = Record<string, unknown>;

/** Keywords that vendors refuse at the root of a tool's schema, besides unions. */
const notAtRoot = ["enum", "const", "not", "if", "then", "else", "$ref"] as const;
/**
 * Maximum length of a description of alternatives, in characters; without a longer one, the properties have to suffice.
 */
const longestNote = 2000;

/** State of the fold: the keys and limits that the alternatives share. */
interface Folded {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
  /** True if no other key is allowed; `undefined` if the schema leaves it open. */
  readonly additional: unknown;
}

/**
 * Makes a schema of arguments that each vendor accepts: valid, of type object, with `properties`, and without unions or
 * references at its root. A union at the root is folded into one object that keeps every variant: a key has the values
 * of all branches, and is required if each branch requires it. The description lists the alternatives, and the model's
 * arguments are checked with the tool's original schema.
 *
 * @param schema - The tool's schema.
 */
export function objectSchema(schema: unknown): JsonSchema {
  const root = validSchema(schema);
  if (isPlainObject(root)) return { ...root, properties: root["properties"] ?? {} };
  const { anyOf, oneOf, allOf, type: _type, properties: _own, required: _required, ...rest } = root as Json;
  const unions = Object.entries({ anyOf, oneOf, allOf }).filter(([, value]) => value !== undefined);
  const folded = fold(root, root, []);
  for (const name of notAtRoot) delete rest[name];
  delete rest["additionalProperties"];
  const note = unions.length === 0 ? "" : `Must match: ${JSON.stringify(Object.fromEntries(unions))}`;
  const described = [jsonText(rest["description"]), note.length > longestNote ? "" : note].filter(
    (text) => text !== "",
  );
  return {
    ...rest,
    type: "object",
    properties: folded.properties,
    ...(folded.required.length === 0 ? {} : { required: folded.required }),
    ...(folded.additional === undefined ? {} : { additionalProperties: folded.additional }),
    ...(described.length === 0 ? {} : { description: described.join(" ") }),
    // From here on, references point into the definitions of a referred root.
    ...definitions(root),
  };
}

function isPlainObject(schema: JsonSchema): boolean {
  return (
    schema["type"] === "object" &&
    ![...notAtRoot, "anyOf", "oneOf", "allOf"].some((name) => Object.hasOwn(schema, name))
  );
}

function definitions(root: JsonSchema): Json {
  return Object.fromEntries(["$defs", "definitions"].flatMap((name) => (name in root ? [[name, root[name]]] : [])));
}

function fold(schema: JsonSchema, root: JsonSchema, seen: readonly string[]): Folded {
  const reference = schema["$ref"];
  const parts: Folded[] = [own(schema)];
  if (typeof reference === "string" && !seen.includes(reference)) {
    const target = resolveReference(reference, root);
    if (target !== undefined) parts.push(fold(target, root, [...seen, reference]));
  }
  for (const branch of branchesOf(schema, "allOf")) parts.push(fold(branch, root, seen));
  const base = parts.reduce(both);
  return ["anyOf", "oneOf"].reduce((folded, name) => {
    const branches = branchesOf(schema, name).filter(mayBeObject);
    return branches.length === 0
      ? folded
      : withAlternatives(
          folded,
          branches.map((branch) => fold(branch, root, seen)),
        );
  }, base);
}

function own(schema: JsonSchema): Folded {
  return {
    properties: isJsonObject(schema["properties"]) ? schema["properties"] : {},
    required: Array.isArray(schema["required"]) ? (schema["required"] as readonly string[]) : [],
    additional: schema["additionalProperties"],
  };
}

function branchesOf(schema: JsonSchema, name: string): readonly JsonSchema[] {
  const branches = schema[name];
  return Array.isArray(branches) ? branches.filter(isJsonObject) : [];
}

/** Arguments are an object: no call can match a branch of another type. */
function mayBeObject({ type }: JsonSchema): boolean {
  return type === undefined || type === "object" || (Array.isArray(type) && type.includes("object"));
}

/** Both hold. */
function both(one: Folded, other: Folded): Folded {
  const properties: Json = { ...one.properties };
  for (const [key, value] of Object.entries(other.properties)) {
    properties[key] = Object.hasOwn(properties, key) ? allOf(properties[key], value) : value;
  }
  return {
    properties,
    required: [...new Set([...one.required, ...other.required])],
    // A branch that closes itself only has its own keys.
    additional: one.additional === false && other.additional === false ? false : openest(one, other),
  };
}

function openest(one: Folded, other: Folded): unknown {
  const given = [one.additional, other.additional].filter((value) => value !== undefined && value !== false);
  return given[0];
}

/** The base applies, and one of the alternatives. */
function withAlternatives(base: Folded, alternatives: readonly Folded[]): Folded {
  const variants = new Map<string, unknown[]>();
  for (const { properties } of alternatives) {
    for (const [key, value] of Object.entries(properties)) variants.set(key, [...(variants.get(key) ?? []), value]);
  }
  const properties: Json = { ...base.properties };
  for (const [key, values] of variants) {
    const union = unionOf(values);
    // A key that only some of the alternatives narrow may have any value of the base in the others.
    const narrows = values.length === alternatives.length;
    if (!Object.hasOwn(properties, key)) properties[key] = union;
    else if (narrows) properties[key] = allOf(properties[key], union);
  }
  const [first, ...others] = alternatives;
  const shared = (first?.required ?? []).filter((key) => others.every(({ required }) => required.includes(key)));
  const closed = base.additional === false || alternatives.every(({ additional }) => additional === false);
  return {
    properties,
    required: [...new Set([...base.required, ...shared])],
    additional: closed ? false : base.additional,
  };
}

/** One schema for all variants of a key: their constants in one enum, else each of them. */
function unionOf(values: readonly unknown[]): unknown {
  const distinct = [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
  if (distinct.length === 1) return distinct[0];
  const constants = distinct.map(constantsOf);
  if (constants.some((list) => list === undefined)) return { anyOf: distinct };
  const all = new Map(constants.flatMap((list) => list ?? []).map((value) => [JSON.stringify(value), value]));
  const first = distinct.find(isJsonObject) ?? {};
  const { const: _const, enum: _enum, description: _description, title: _title, default: _default, ...rest } = first;
  const sameType = distinct.every((value) => isJsonObject(value) && value["type"] === first["type"]);
  const { type: _type, ...typeless } = rest;
  return { ...(sameType ? rest : typeless), enum: [...all.values()] };
}

function constantsOf(value: unknown): readonly unknown[] | undefined {
  if (!isJsonObject(value)) return undefined;
  if ("const" in value) return [value["const"]];
  return Array.isArray(value["enum"]) ? value["enum"] : undefined;
}

/** Both schemas of a key apply; only the narrower one if it implies the other. */
function allOf(one: unknown, other: unknown): unknown {
  if (JSON.stringify(one) === JSON.stringify(other) || other === true) return one;
  if (one === true || !isJsonObject(one) || !isJsonObject(other)) return other;
  const clashes = Object.keys(other).filter(
    (key) => key in one && JSON.stringify(one[key]) !== JSON.stringify(other[key]),
  );
  const told = clashes.filter((key) => key !== "description" && key !== "title");
  return told.length === 0 ? { ...other, ...one } : { allOf: [one, other] };
}
