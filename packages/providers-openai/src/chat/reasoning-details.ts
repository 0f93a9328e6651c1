import { jsonText } from "@bailiwick/core/provider";

type Detail = Readonly<Record<string, unknown>>;

/** Fields that come in pieces; an encrypted form comes whole. */
const written = ["text", "summary"] as const;

/**
 * Adds a piece of structured reasoning to what came before. Pieces of one block have its index and type, and the
 * signature holds for the whole text, so that they go back as one.
 *
 * @param details - What came before; it grows.
 * @param piece - As it came in a delta.
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
