/** A value as JSON keeps it, or why JSON cannot. */
export type JsonOutput = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

const maxDepth = 500;

/**
 * Makes a tool's output what the journal keeps: `undefined` members are left out, dates and what else has `toJSON` are
 * written. The same value back when nothing had to change. What JSON would lose silently is named instead.
 */
export function jsonOutput(value: unknown): JsonOutput {
  try {
    return { ok: true, value: toJson(value, "", 0) };
  } catch (error) {
    if (error instanceof NotJson) return { ok: false, problem: error.message };
    return { ok: false, problem: `a value whose toJSON threw: ${error instanceof Error ? error.message : String(error)}` };
  }
}

class NotJson extends Error {}

function toJson(value: unknown, path: string, depth: number): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "undefined":
      return value;
    case "number":
      if (!Number.isFinite(value)) throw refused(String(value), path);
      return value;
    case "object":
      return value === null ? null : objectToJson(value, path, depth);
    default:
      throw refused(`a ${typeof value}`, path);
  }
}

function objectToJson(value: object, path: string, depth: number): unknown {
  if (depth > maxDepth) throw refused("a circular or very deep structure", path.slice(0, 80));
  if (Array.isArray(value)) return arrayToJson(value, path, depth);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) throw refused(`bytes (${value.constructor.name}); return them as contentParts`, path);
  if (value instanceof Map || value instanceof Set || value instanceof Promise || value instanceof WeakMap) {
    throw refused(`a ${value.constructor.name}`, path);
  }
  if (value instanceof Error) throw refused("an Error; throw it instead", path);
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === "function") return toJson(toJSON.call(value), path, depth + 1);
  return membersToJson(value as Record<string, unknown>, path, depth);
}

function arrayToJson(items: readonly unknown[], path: string, depth: number): unknown {
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    const plain = item === undefined ? null : toJson(item, `${path}[${index}]`, depth + 1);
    if (plain !== item) (copy ??= items.slice())[index] = plain;
  }
  return copy ?? items;
}

function membersToJson(value: Record<string, unknown>, path: string, depth: number): unknown {
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const member = value[key];
    const plain = toJson(member, path === "" ? key : `${path}.${key}`, depth + 1);
    if (plain === member && member !== undefined) continue;
    copy ??= { ...value };
    if (plain === undefined) delete copy[key];
    else Object.defineProperty(copy, key, { value: plain, enumerable: true, writable: true, configurable: true });
  }
  return copy ?? value;
}

function refused(what: string, path: string): NotJson {
  return new NotJson(path === "" ? what : `${what} at "${path}"`);
}
