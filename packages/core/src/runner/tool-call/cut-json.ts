import { byteLength, headOf } from "./cut-text.ts";

interface Bounds {
  readonly items: number;
  readonly characters: number;
  readonly depth: number;
}

const firstBounds: Bounds = { items: 256, characters: 4_096, depth: 12 };

/**
 * Shortens a JSON value to a number of bytes by its structure: arrays and objects keep their first members, long texts
 * their beginning, and what is left out is counted. The result is always valid JSON.
 *
 * @returns JSON text of at most `limit` bytes, or of a mere description where even that is too long.
 */
export function cutJson(value: unknown, limit: number): string {
  let bounds = firstBounds;
  for (;;) {
    const text = JSON.stringify(cut(value, bounds, 0));
    if (byteLength(text) <= limit) return text;
    if (bounds.items === 1 && bounds.characters <= 16 && bounds.depth <= 1) return describe(value, limit);
    bounds = {
      items: Math.max(1, Math.floor(bounds.items / 2)),
      characters: Math.max(16, Math.floor(bounds.characters / 2)),
      depth: Math.max(1, bounds.depth - 1),
    };
  }
}

function cut(value: unknown, bounds: Bounds, depth: number): unknown {
  if (typeof value === "string") return cutString(value, bounds.characters);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= bounds.depth) return `… ${sizeOf(value)}`;
  if (Array.isArray(value)) {
    const kept: unknown[] = value.slice(0, bounds.items).map((item) => cut(item, bounds, depth + 1));
    if (value.length > kept.length) kept.push(`… ${value.length - kept.length} more items`);
    return kept;
  }
  const keys = Object.keys(value);
  const kept: Record<string, unknown> = {};
  for (const key of keys.slice(0, bounds.items)) {
    Object.defineProperty(kept, key, {
      value: cut((value as Record<string, unknown>)[key], bounds, depth + 1),
      enumerable: true,
    });
  }
  if (keys.length > bounds.items) kept["…"] = `${keys.length - bounds.items} more members`;
  return kept;
}

function cutString(text: string, characters: number): string {
  if (text.length <= characters) return text;
  // Four bytes a character at most: never half of one is kept.
  const head = headOf(text.slice(0, characters), characters * 4).replace(/[\uD800-\uDBFF]$/, "");
  return `${head}… ${text.length - head.length} more characters`;
}

function sizeOf(value: object): string {
  return Array.isArray(value) ? `array of ${value.length} items` : `object of ${Object.keys(value).length} members`;
}

function describe(value: unknown, limit: number): string {
  const text =
    typeof value === "object" && value !== null
      ? sizeOf(value)
      : `${typeof value} of ${String(value).length} characters`;
  return JSON.stringify(headOf(`… ${text}`, Math.max(8, limit)));
}
