import { BailiwickError } from "../errors/bailiwick-error.ts";

/** Deeper values are refused: they come from broken or hostile input, and recursion needs a limit. */
const MAX_DEPTH = 1_000;

/**
 * Writes a value as text: equal values have the same text in any order of keys, at every depth, and different values
 * have different texts. For hashes and keys, not for reading back: values without a JSON form (dates, maps, sets,
 * bytes, big integers, non-finite numbers) are written in a tagged form. `undefined` members are left out, as in JSON.
 *
 * @param value - Any value made of JSON types, and of those named above.
 * @returns The canonical text.
 * @throws BailiwickError `NOT_CANONICAL` for functions, symbols, cycles, values nested deeper than 1,000 levels, and
 * class instances without `toJSON`: they would all look alike.
 * @example
 * ```ts
 * import { canonicalJson } from "@bailiwick/core/extension";
 *
 * console.log(canonicalJson({ b: [1, { d: 2, c: 3 }], a: "x" })); // {"a":"x","b":[1,{"c":3,"d":2}]}
 * ```
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

/** True if two values have the same canonical text. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

function write(value: unknown, depth: number): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      return Number.isFinite(value) ? String(value === 0 ? 0 : value) : tagged("number", String(value));
    case "boolean":
      return value ? "true" : "false";
    case "undefined":
      return tagged("undefined", "");
    case "bigint":
      return tagged("bigint", String(value));
    case "object":
      return value === null ? "null" : writeObject(value, depth);
    default:
      throw refused(`a ${typeof value}`);
  }
}

function writeObject(value: object, depth: number): string {
  if (depth >= MAX_DEPTH) throw refused(`a cycle, or values nested deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) return writeItems(value, depth);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null)
    return writeMembers(value as Record<string, unknown>, depth);
  if (value instanceof Map) return tagged("map", joined([...value].map((entry) => writeItems(entry, depth + 1))));
  if (value instanceof Set) return tagged("set", joined([...value].map((item) => write(item, depth + 1))));
  if (ArrayBuffer.isView(value)) return tagged(value.constructor.name, hex(value));
  if (value instanceof ArrayBuffer) return tagged("ArrayBuffer", hex(new Uint8Array(value)));
  if ("toJSON" in value && typeof value.toJSON === "function") return write(value.toJSON(), depth + 1);
  // Accepts plain objects of other realms, whose `Object.prototype` differs; class instances are
  // refused.
  if (value.constructor?.name === "Object") return writeMembers(value as Record<string, unknown>, depth);
  throw refused(`an instance of ${value.constructor?.name || "a class"} without toJSON`);
}

function writeItems(items: readonly unknown[], depth: number): string {
  let text = "[";
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    text += (index === 0 ? "" : ",") + (item === undefined ? "null" : write(item, depth + 1));
  }
  return `${text}]`;
}

function writeMembers(object: Record<string, unknown>, depth: number): string {
  let text = "";
  for (const key of sortedKeys(object)) {
    const member = object[key];
    if (member === undefined) continue;
    // Otherwise, a plain object that imitates a tag would equal the tagged value.
    const name = key.startsWith("$canonical") ? `$${key}` : key;
    text += `${text === "" ? "" : ","}${JSON.stringify(name)}:${write(member, depth + 1)}`;
  }
  return `{${text}}`;
}

function tagged(type: string, text: string): string {
  return `{"$canonical":${JSON.stringify(type)},"value":${JSON.stringify(text)}}`;
}

/** Maps and sets are equal in any order of their entries. */
function joined(texts: string[]): string {
  return `[${texts.sort().join(",")}]`;
}

/** Bytes as hexadecimal text. */
export function hex(bytes: ArrayBufferView): string {
  let text = "";
  for (const byte of new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)) {
    text += byte.toString(16).padStart(2, "0");
  }
  return text;
}

function refused(what: string): BailiwickError {
  return new BailiwickError(
    "NOT_CANONICAL",
    `A value that has to be hashed holds ${what}. Hash plain data: JSON values, dates, maps, sets, bytes.`,
  );
}

/** Keys in the order of their code units. Most objects have few keys, already in order: those are not sorted. */
function sortedKeys(object: Record<string, unknown>): readonly string[] {
  const keys = Object.keys(object);
  for (let index = 1; index < keys.length; index += 1) {
    if ((keys[index - 1] as string) > (keys[index] as string)) return keys.sort();
  }
  return keys;
}
