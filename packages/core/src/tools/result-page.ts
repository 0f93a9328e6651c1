import type { formatPath as FormatPath } from "./paths.ts";

// This file loads with the first call of `read_result`. It imports no value of the initial bundle.

/** The functions of the initial bundle that pages are made with. */
export interface PageHost {
  readonly formatPath: typeof FormatPath;
  /** Makes the error of a path that does not exist. */
  readonly refuse: (message: string) => Error;
}

/** A part of a result. */
export interface ResultPage {
  /** The part: text, or a JSON value. */
  readonly content: unknown;
  /** The unit of `offset` and `total`. */
  readonly unit: "characters" | "items" | "members" | "value";
  readonly offset: number;
  readonly total: number;
  /** Start of the next page; absent on the last one. */
  readonly nextOffset?: number | undefined;
}

/**
 * A page of text; never cut within a character.
 *
 * @param offset - First character, in UTF-16 units.
 */
export function pageOfText(text: string, offset: number, limit: number): ResultPage {
  const start = insidePair(text, offset) ? offset - 1 : Math.min(offset, text.length);
  let end = Math.min(text.length, start + limit);
  if (insidePair(text, end)) end += 1;
  const page = { content: text.slice(start, end), unit: "characters" as const, offset: start, total: text.length };
  return end < text.length ? { ...page, nextOffset: end } : page;
}

/** True if a cut at this index would split a surrogate pair. */
function insidePair(text: string, index: number): boolean {
  if (index <= 0 || index >= text.length) return false;
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

/**
 * A page of a part of a JSON value: as many items or members as fit. A single item that is too large is described, with
 * the path to read it.
 *
 * @param path - Path in the result, such as `orders[0].lines`; empty for the whole.
 * @param offset - First item, member or character.
 * @param limit - Maximum number of characters of JSON.
 */
export function pageOfJson(value: unknown, path: string, offset: number, limit: number, host: PageHost): ResultPage {
  const { found, keys } = follow(value, path, host);
  if (typeof found === "string") return pageOfText(found, offset, limit);
  if (typeof found !== "object" || found === null) return { content: found, unit: "value", offset: 0, total: 1 };
  const isArray = Array.isArray(found);
  const entries: [string | number, unknown][] = isArray
    ? (found as unknown[]).map((item, index) => [index, item])
    : Object.entries(found);
  const taken: [string | number, unknown][] = [];
  let room = limit;
  let next = Math.min(offset, entries.length);
  for (; next < entries.length; next += 1) {
    const [key, member] = entries[next] as [string | number, unknown];
    const size = JSON.stringify(member).length + (isArray ? 1 : String(key).length + 4);
    if (size > room && taken.length > 0) break;
    taken.push([key, size > room ? outline(member, host.formatPath([...keys, key])) : member]);
    room -= size;
  }
  return {
    content: isArray ? taken.map(([, item]) => item) : Object.fromEntries(taken),
    unit: isArray ? "items" : "members",
    offset: Math.min(offset, entries.length),
    total: entries.length,
    ...(next < entries.length ? { nextOffset: next } : undefined),
  };
}

/** Placeholder for a member that does not fit on a page. */
function outline(value: unknown, path: string): object {
  if (typeof value === "string") return { $tooLong: "text", characters: value.length, path };
  if (Array.isArray(value)) return { $tooLong: "array", items: value.length, path };
  return { $tooLong: "object", members: Object.keys(value as object), path };
}

const STEP = /^(?:\.?([^.[\]"]+)|\[(\d+)\]|\.?\[("(?:[^"\\]|\\.)*")\])/u;

function follow(
  value: unknown,
  path: string,
  { formatPath, refuse }: PageHost,
): { readonly found: unknown; readonly keys: readonly (string | number)[] } {
  const noSuchPath = (why: string): Error => refuse(`The path "${path}" cannot be read: ${why}.`);
  const keys: (string | number)[] = [];
  let found = value;
  for (let rest = path; rest !== "";) {
    const match = STEP.exec(rest);
    if (match === null) throw noSuchPath("it is not a path; write orders[0].lines");
    const [text, name, index, quoted] = match;
    const key = index === undefined ? (name ?? (JSON.parse(quoted as string) as string)) : Number(index);
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) {
      const there = typeof found === "object" && found !== null && !Array.isArray(found) ? Object.keys(found) : [];
      const hint = there.length > 0 ? `; there are ${there.slice(0, 20).join(", ")}` : "";
      throw noSuchPath(`nothing is at ${formatPath([...keys, key])}${hint}`);
    }
    found = (found as Record<string | number, unknown>)[key];
    keys.push(key);
    rest = rest.slice(text.length);
  }
  return { found, keys };
}
