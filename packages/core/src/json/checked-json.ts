import type { JsonValue } from "../contracts/json.ts";
import { toError } from "../user-code/call-user-code.ts";
import { define, ownCopy } from "../user-code/copies.ts";

/** A value as JSON keeps it, or why JSON cannot. */
export type CheckedJson<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string };

/**
 * Treatment of values that are not plain JSON: a tool's output may contain values with `toJSON`, durable values may
 * not. Messages may contain bytes and any number, which the journal keeps.
 */
type Rule = "output" | "durable" | "message";

const maxDepth = 500;

/** Maximum length of a path in a message. */
const longestPath = 60;

/**
 * Converts a tool's output to the journaled value: `undefined` members are left out, dates and other values with
 * `toJSON` are converted, and instances of classes become plain objects. Values that JSON would lose silently are
 * refused, with their path. Returns a copy.
 *
 * @param rule - `message` for parts of a message, whose bytes and numbers the journal keeps.
 */
export function jsonOutput<Value>(value: Value, rule: "output" | "message" = "output"): CheckedJson<Value> {
  try {
    return { ok: true, value: toJson(readOnce(value), 0, rule) as Value };
  } catch (error) {
    return refused(error);
  }
}

/**
 * Checks a durable value, such as metadata or session state: it is read back exactly as it was given, or refused with
 * the path. Members that are `undefined` are left out. Returns a copy.
 *
 * @param value - The value.
 */
export function durableJson(value: unknown): CheckedJson<JsonValue> {
  try {
    const plain = toJson(readOnce(value), 0, "durable");
    if (plain === undefined) throw new NotJson("undefined");
    return { ok: true, value: plain as JsonValue };
  } catch (error) {
    return refused(error);
  }
}

/** A copy of any value, or the value that threw when it was read. */
export function readable(value: unknown): CheckedJson<unknown> {
  try {
    return { ok: true, value: readOnce(value) };
  } catch (error) {
    return refused(error);
  }
}

/** The value without a journaled form in the content of a message, with its path; `undefined` if there is none. */
export function problemInMessage(content: unknown): string | undefined {
  try {
    toJson(content, 0, "message");
    return undefined;
  } catch (error) {
    return refused(error).problem;
  }
}

function refused(thrown: unknown): Extract<CheckedJson<never>, { ok: false }> {
  const { message, path } = at("", thrown);
  return { ok: false, problem: path === "" ? message : `${message} at "${path}"` };
}

/** A copy, so that the journal gets what was checked: a getter is read once. The walk finds the place of one that throws. */
function readOnce(value: unknown): unknown {
  try {
    return ownCopy(value);
  } catch (error) {
    toJson(value, 0, "output");
    throw error;
  }
}

class NotJson extends Error {
  path = "";
}

function toJson(value: unknown, depth: number, rule: Rule): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "undefined":
      return value;
    case "number":
      if (!Number.isFinite(value) && rule !== "message") throw new NotJson(String(value));
      return value;
    case "object":
      return value === null ? null : objectToJson(value, depth, rule);
    default:
      throw new NotJson(`a ${typeof value}`);
  }
}

function objectToJson(value: object, depth: number, rule: Rule): unknown {
  if (depth > maxDepth) throw new NotJson("a circular or very deep structure");
  if (Array.isArray(value)) return arrayToJson(value, depth, rule);
  if (rule === "message" && value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    throw new NotJson(
      `bytes of ${value.constructor.name} ${remedy(rule, "return them as contentParts", "write them as base64 text")}`,
    );
  if (value instanceof Map || value instanceof Set || value instanceof Promise || value instanceof WeakMap) {
    throw new NotJson(`a ${value.constructor.name}`);
  }
  if (value instanceof Error) throw new NotJson(`an Error ${remedy(rule, "throw it instead", "write its message")}`);
  if (rule !== "output") return plainToJson(value, depth, rule);
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === "function") return toJson(ownCopy(toJSON.call(value) as unknown), depth + 1, rule);
  if (Object.keys(value).length === 0) refuseHidden(value);
  return membersToJson(asPlain(value), depth, rule);
}

/** The journal reads an instance of a class back as a plain object: the run uses the same from the start. */
function asPlain(value: object): Record<string, unknown> {
  const isPlain = Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? (value as Record<string, unknown>) : ownCopy<Record<string, unknown>>({ ...value });
}

/** Class instances and values with `toJSON` would not read back as the same value. */
function plainToJson(value: object, depth: number, rule: Rule): unknown {
  if (value instanceof Date) throw new NotJson("a Date (write it with toISOString())");
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    throw new NotJson(`${kindOf(value)} (write a plain object)`);
  if (typeof (value as { readonly toJSON?: unknown }).toJSON === "function")
    throw new NotJson("an object with a toJSON function (write what it returns)");
  if (Object.getOwnPropertySymbols(value).length > 0) throw new NotJson("a member whose name is a symbol");
  return membersToJson(asPlain(value), depth, rule);
}

function remedy(rule: Rule, output: string, durable: string): string {
  return `(${rule === "output" ? output : durable})`;
}

/**
 * Values whose content is invisible to JSON would become `{}`: a generator, a response, an instance with private
 * members.
 */
function refuseHidden(value: object): void {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return;
  if (Symbol.asyncIterator in value || Symbol.iterator in value) {
    throw new NotJson(
      "a generator or stream (return an array of what it holds; a tool that tells its output piece by piece sets streamingHint and calls ctx.streamContent)",
    );
  }
  throw new NotJson(`${kindOf(value)} without own properties (return its content)`);
}

function kindOf(value: object): string {
  // A prototype chain may end without a class.
  const { constructor: made } = value as { readonly constructor?: unknown };
  return typeof made === "function" && made.name !== "" ? `a ${made.name}` : "an object";
}

function arrayToJson(items: readonly unknown[], depth: number, rule: Rule): unknown {
  let copy: unknown[] | undefined;
  let index = 0;
  try {
    for (; index < items.length; index += 1) {
      const item = items[index];
      const plain = item === undefined ? empty(rule) : toJson(item, depth + 1, rule);
      if (plain !== item) (copy ??= items.slice())[index] = plain;
    }
  } catch (error) {
    throw at(index, error);
  }
  return copy ?? items;
}

function empty(rule: Rule): null {
  if (rule === "output") return null;
  throw new NotJson("undefined (write null)");
}

function membersToJson(value: Record<string, unknown>, depth: number, rule: Rule): unknown {
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(value))
    try {
      const member = value[key];
      const plain = toJson(member, depth + 1, rule);
      if (plain === member && member !== undefined) continue;
      copy ??= { ...value };
      if (plain === undefined) delete copy[key];
      else define(copy, key, plain);
    } catch (error) {
      throw at(key, error);
    }
  return copy ?? value;
}

/**
 * The refusal of a value inside another; its path is only built here, on the way out. A value that threw when it was
 * read is refused too.
 */
function at(step: string | number, thrown: unknown): NotJson {
  const error =
    thrown instanceof NotJson
      ? thrown
      : new NotJson(`a value that threw when it was read (${toError(thrown).message})`);
  // The beginning of a deep path is more useful than its end.
  if (step !== "") error.path = pathOf(step, error.path).slice(0, longestPath);
  return error;
}

function pathOf(step: string | number, rest: string): string {
  const first = typeof step === "number" ? `[${step}]` : step;
  return rest === "" || rest.startsWith("[") ? first + rest : `${first}.${rest}`;
}
