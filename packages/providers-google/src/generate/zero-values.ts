import { filledObject, jsonText } from "@bailiwick/core/provider";
import type { WirePart } from "./wire-part.ts";

/** Members of which a part has one: its kind. */
const kinds = [
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
  "toolCall",
  "toolResponse",
] as const;

/**
 * A part without the zero values of kinds that it does not have: servers in Go may write each of them.
 *
 * @param part - A part of an answer. Returned unchanged if it has none.
 */
export function withoutZeros(part: WirePart): WirePart {
  const hasKind = kinds.some((kind) => filledObject(part[kind]) !== undefined);
  const isText = !hasKind && jsonText(part["text"]) !== "";
  // An empty call alone ends a call whose arguments came in pieces.
  const empty = kinds.filter(
    (kind) => kind in part && filledObject(part[kind]) === undefined && (kind !== "functionCall" || hasKind || isText),
  );
  const isOther = part["text"] === "" && hasKind;
  if (empty.length === 0 && !isOther) return part;
  const dropped = new Set<string>([...empty, ...(isOther ? ["text"] : [])]);
  return Object.fromEntries(Object.entries(part).filter(([name]) => !dropped.has(name)));
}
