/** A value as JSON keeps it, or why JSON cannot. */
export type JsonOutput =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

const maxDepth = 500;

/** Characters of a path that are said. */
const longestPath = 60;

/**
 * Makes a tool's output what the journal keeps: `undefined` members are left out, dates and what else has `toJSON` are
 * written. The same value back when nothing had to change. What JSON would lose silently is named instead.
 */
export function jsonOutput(value: unknown): JsonOutput {
  try {
    return { ok: true, value: toJson(value, 0) };
  } catch (error) {
    if (error instanceof NotJson)
      return { ok: false, problem: error.path === "" ? error.message : `${error.message} at "${error.path}"` };
    return {
      ok: false,
      problem: `a value whose toJSON threw: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

class NotJson extends Error {
  path = "";
}

function toJson(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "undefined":
      return value;
    case "number":
      if (!Number.isFinite(value)) throw refused(String(value));
      return value;
    case "object":
      return value === null ? null : objectToJson(value, depth);
    default:
      throw refused(`a ${typeof value}`);
  }
}

function objectToJson(value: object, depth: number): unknown {
  if (depth > maxDepth) throw refused("a circular or very deep structure");
  if (Array.isArray(value)) return arrayToJson(value, depth);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    throw refused(`bytes of ${value.constructor.name} (return them as contentParts)`);
  if (value instanceof Map || value instanceof Set || value instanceof Promise || value instanceof WeakMap) {
    throw refused(`a ${value.constructor.name}`);
  }
  if (value instanceof Error) throw refused("an Error (throw it instead)");
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === "function") return toJson(toJSON.call(value), depth + 1);
  if (Object.keys(value).length === 0) refuseHidden(value);
  return membersToJson(value as Record<string, unknown>, depth);
}

/** What keeps its content where JSON does not look would become `{}`: a generator, a response, an instance with private members. */
function refuseHidden(value: object): void {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return;
  if (Symbol.asyncIterator in value || Symbol.iterator in value) {
    throw refused(
      "a generator or stream (return an array of what it holds; a tool that tells its output piece by piece sets streamingHint and calls ctx.streamContent)",
    );
  }
  // A chain of prototypes may end without a class.
  const { constructor: made } = value as { readonly constructor?: unknown };
  const kind = typeof made === "function" && made.name !== "" ? `a ${made.name}` : "an object";
  throw refused(`${kind} without members of its own (return what it holds)`);
}

function arrayToJson(items: readonly unknown[], depth: number): unknown {
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    const plain = item === undefined ? null : inside(index, item, depth);
    if (plain !== item) (copy ??= items.slice())[index] = plain;
  }
  return copy ?? items;
}

function membersToJson(value: Record<string, unknown>, depth: number): unknown {
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const member = value[key];
    const plain = inside(key, member, depth);
    if (plain === member && member !== undefined) continue;
    copy ??= { ...value };
    if (plain === undefined) delete copy[key];
    else Object.defineProperty(copy, key, { value: plain, enumerable: true, writable: true, configurable: true });
  }
  return copy ?? value;
}

/** A value inside another; its place is written only when it is refused, on the way out. */
function inside(step: string | number, value: unknown, depth: number): unknown {
  try {
    return toJson(value, depth + 1);
  } catch (error) {
    // Of a place deep inside, the beginning says more than the end.
    if (error instanceof NotJson) error.path = pathOf(step, error.path).slice(0, longestPath);
    throw error;
  }
}

function pathOf(step: string | number, rest: string): string {
  const first = typeof step === "number" ? `[${step}]` : step;
  return rest === "" || rest.startsWith("[") ? first + rest : `${first}.${rest}`;
}

function refused(what: string): NotJson {
  return new NotJson(what);
}
