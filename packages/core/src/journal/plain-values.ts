import { fromBase64, toBase64 } from "../json/base64.ts";

/** Keys of objects that represent values without a JSON form. */
const marks: ReadonlySet<string> = new Set(["$bytes", "$bigint", "$number", "$blob", "$sealed", "$escaped"]);

/** Numbers that JSON writes as `0` or `null`. */
const unwritable: ReadonlyMap<string, number> = new Map([
  ["-0", -0],
  ["NaN", Number.NaN],
  ["Infinity", Infinity],
  ["-Infinity", Number.NEGATIVE_INFINITY],
]);

/** Replaces a value while it is made plain or restored; `undefined` keeps it. */
export type Replace = (value: unknown) => { readonly value: unknown } | undefined;

/**
 * Makes a value plain: bytes, big integers and numbers without a JSON form become marked objects, and an object that
 * looks like a mark is escaped.
 *
 * @param value - Anything JSON-like.
 * @param replace - Called first for every value; its result is final.
 * @returns the same value if nothing had to change.
 */
export function writePlain<T>(value: T, replace?: Replace): T {
  return write(value, replace) as T;
}

/**
 * Restores what `writePlain` made.
 *
 * @param value - A value that `writePlain` made.
 * @param replace - Called with each object in it; may return another value in its place.
 */
export function readPlain<T>(value: T, replace?: Replace): T {
  return read(value, replace) as T;
}

/** The key of a marked object: its first one. */
export function markOf(value: object): string | undefined {
  // Marks are written first; a loop is cheaper than a list of keys.
  for (const key in value) return marks.has(key) ? key : undefined;
  return undefined;
}

function write(value: unknown, replace: Replace | undefined): unknown {
  const replaced = replace?.(value);
  if (replaced !== undefined) return replaced.value;
  if (typeof value === "number") return writeNumber(value);
  if (typeof value === "bigint") return { $bigint: value.toString() };
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Uint8Array) return { $bytes: toBase64(value) };
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") return value;
  const children = mapChildren(value, (child) => write(child, replace));
  return Array.isArray(value) || markOf(value) === undefined ? children : { $escaped: children };
}

function writeNumber(value: number): unknown {
  if (Object.is(value, -0)) return { $number: "-0" };
  return Number.isFinite(value) ? value : { $number: String(value) };
}

function read(value: unknown, replace: Replace | undefined): unknown {
  if (typeof value !== "object" || value === null) return value;
  const replaced = replace?.(value);
  if (replaced !== undefined) return replaced.value;
  const mark = Array.isArray(value) ? undefined : markOf(value);
  if (mark === undefined) return mapChildren(value, (child) => read(child, replace));
  const content = (value as Record<string, unknown>)[mark];
  if (mark === "$bytes" && typeof content === "string") return fromBase64(content);
  if (mark === "$bigint" && typeof content === "string") return BigInt(content);
  if (mark === "$number" && typeof content === "string") return unwritable.get(content) ?? value;
  if (mark === "$escaped" && typeof content === "object" && content !== null) {
    return mapChildren(content, (child) => read(child, replace));
  }
  return value;
}

/** Copies an array or object only when a child changed. */
function mapChildren(value: object, map: (child: unknown) => unknown): unknown {
  if (Array.isArray(value)) {
    let copy: unknown[] | undefined;
    for (let index = 0; index < value.length; index += 1) {
      const child: unknown = value[index];
      const mapped = map(child);
      if (mapped !== child) (copy ??= value.slice())[index] = mapped;
    }
    return copy ?? value;
  }
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const child = (value as Record<string, unknown>)[key];
    const mapped = map(child);
    if (mapped === child) continue;
    copy ??= { ...(value as Record<string, unknown>) };
    Object.defineProperty(copy, key, { value: mapped, writable: true, enumerable: true, configurable: true });
  }
  return copy ?? value;
}
