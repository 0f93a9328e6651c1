import { jsonText } from "@bailiwick/core/provider";

type Detail = Readonly<Record<string, unknown>>;

/** Fields that arrive in pieces; an encrypted form arrives whole. */
const written = ["text", "summary"] as const;

/**
 * Adds a piece of structured reasoning to the earlier ones. Pieces of one block have its index and type, and the
 * signature covers the whole text, so they are sent back as one.
 *
 * @param details - The earlier pieces; the list grows.
 * @param piece - A piece of a delta, unchanged.
 */
export function addDetail(details: Detail[], piece: Detail): void {
  const at = details.findLastIndex((detail) => isSameBlock(detail, piece));
  const before = details[at];
  if (before === undefined) {
    details.push(piece);
    return;
  }
  const said = Object.entries(piece).filter(([, value]) => value !== null && value !== undefined);
  const joined: Record<string, unknown> = { ...before, ...Object.fromEntries(said) };
  for (const field of written) {
    const text = jsonText(before[field]) + jsonText(piece[field]);
    if (text !== "") joined[field] = text;
  }
  details[at] = joined;
}

function isSameBlock(before: Detail, piece: Detail): boolean {
  if (typeof piece["index"] !== "number" || piece["type"] === "reasoning.encrypted") return false;
  if (before["index"] !== piece["index"] || before["type"] !== piece["type"]) return false;
  return before["id"] == null || piece["id"] == null || before["id"] === piece["id"];
}
