import { isJsonObject, jsonObjects, jsonText } from "@bailiwick/core/provider";
import type { Content } from "./slots.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Entries of `content` and `summary` as they begin. */
export const newText = (): Content => ({ type: "output_text", text: "", annotations: [] });
export const newRefusal = (): Content => ({ type: "refusal", refusal: "" });
export const newSummary = (): Content => ({ type: "summary_text", text: "" });
export const newReasoning = (): Content => ({ type: "reasoning_text", text: "" });

/** Text of one entry of an item's content. */
export function writtenText(content: Fields): string {
  return jsonText(content["text"]) || jsonText(content["refusal"]);
}

/** Readable reasoning, as it is shown. */
export function thoughtText(item: Fields): string {
  const summary = jsonObjects(item["summary"]);
  return (summary.length > 0 ? summary : jsonObjects(item["content"])).map(writtenText).join("\n\n");
}

/** The entries of a list, each at its index: some had no delta. */
export function entriesOf(list: unknown): readonly Fields[] {
  return Array.isArray(list) ? Array.from(list as unknown[], (entry) => (isJsonObject(entry) ? entry : {})) : [];
}
