import { checkArgument, isJsonObject } from "@bailiwick/core/provider";
import type { ContentPart, ModelRequest } from "@bailiwick/core/provider";

/** A sent content block or tool. */
export type Block = Readonly<Record<string, unknown>>;

/** Lifetime of a cache entry. */
export type CacheTtl = "5m" | "1h";

/** Maximum number of breakpoints in one request. */
const maxBreakpoints = 4;

/** Blocks that cannot have a breakpoint. */
const uncacheable = new Set(["thinking", "redacted_thinking"]);

/** The lists of a request. Their entries are reused between requests: they are replaced here, never changed. */
export interface CacheableRequest {
  readonly tools: Block[];
  readonly system: Block[];
  readonly messages: readonly { readonly role: "user" | "assistant"; readonly content: Block[] }[];
}

interface Place {
  readonly list: Block[];
  readonly index: number;
  readonly ttl: CacheTtl;
}

/**
 * Marks the points at which the vendor's cache is written and read: the last user turn, the instructions, the last
 * tool, and the user turn before the last, so that a turn with many blocks still finds the earlier entry. The caller's
 * marks come before the last three; marks beyond the vendor's limit are dropped.
 *
 * @param request - The request's lists.
 * @param caching - Of the request; `"shared"` keeps the common prefix of parallel agents for an hour, including the
 *   first message.
 * @param ttl - Lifetime of the other entries that are placed here.
 */
export function placeBreakpoints(request: CacheableRequest, caching: ModelRequest["caching"], ttl: CacheTtl): void {
  const lists = [request.tools, request.system, ...request.messages.map(({ content }) => content)];
  const own = takeOwn(lists);
  if (caching === false) return;
  const turns = request.messages.filter(({ role }) => role === "user").map(({ content }) => content);
  const prefix = caching === "shared" ? "1h" : ttl;
  const wanted = [
    lastOf(turns.at(-1), ttl),
    ...own.toReversed(),
    lastOf(request.system, prefix),
    lastOf(request.tools, prefix),
    caching === "shared" ? lastOf(turns[0], prefix) : lastOf(turns.at(-2), ttl),
  ];
  const chosen: Place[] = [];
  for (const place of wanted) {
    if (place === undefined || chosen.length === maxBreakpoints) continue;
    const same = ({ list, index }: Place): boolean => list === place.list && index === place.index;
    // If the caller marked the same place, the caller's lifetime applies.
    if (!chosen.some(same)) chosen.push(own.find(same) ?? place);
  }
  const order = ({ list, index }: Place): number => lists.indexOf(list) * 1_000_000 + index;
  let long = false;
  for (const { list, index, ttl: lifetime } of chosen.toSorted((left, right) => order(right) - order(left))) {
    // The API rejects a cache entry that lives longer than an earlier one.
    long ||= lifetime === "1h";
    list[index] = { ...list[index], cache_control: long ? { type: "ephemeral", ttl: "1h" } : { type: "ephemeral" } };
  }
}

/** Removes the caller's marks and returns their places. */
function takeOwn(lists: readonly Block[][]): readonly Place[] {
  const places: Place[] = [];
  for (const list of lists) {
    for (const [index, block] of list.entries()) {
      if (block["cache_control"] === undefined) continue;
      const { cache_control: control, ...rest } = block;
      list[index] = rest;
      if (isJsonObject(control)) places.push({ list, index, ttl: control["ttl"] === "1h" ? "1h" : "5m" });
    }
  }
  return places;
}

function lastOf(list: Block[] | undefined, ttl: CacheTtl): Place | undefined {
  const index = (list ?? []).findLastIndex(
    (block) => !uncacheable.has(String(block["type"])) && block["defer_loading"] !== true,
  );
  return list === undefined || index === -1 ? undefined : { list, index, ttl };
}

/**
 * Marks the end of a part as a point at which the vendor's cache is written. In a tool's result, the whole result is
 * marked. At most four marks are sent; one is always at the end of the conversation.
 *
 * @param part - A part of a user message or of a tool's result.
 * @param ttl - Lifetime of the entry; default `5m`.
 * @example
 * ```ts
 * import { cacheHere } from "@bailiwick/providers-anthropic";
 *
 * export const manual = (text: string) => cacheHere({ type: "text", text }, "1h");
 * ```
 */
export function cacheHere<Part extends ContentPart>(part: Part, ttl: CacheTtl = "5m"): Part {
  checkArgument(part, "object", "cacheHere(part, ttl)");
  return { ...part, providerState: { cacheControl: { type: "ephemeral", ttl } } };
}

/** The mark of a part, as a field of its block. */
export function ownMark(part: ContentPart | undefined): { readonly cache_control?: unknown } {
  const state = part?.providerState;
  return isJsonObject(state) && isJsonObject(state["cacheControl"]) ? { cache_control: state["cacheControl"] } : {};
}
