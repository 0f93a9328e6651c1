import type { ContentPart } from "../contracts/content-part.ts";

/** The text of a content, its text parts joined. */
export function textOfContent(content: string | readonly ContentPart[]): string {
  if (typeof content === "string") return content;
  return content
    .filter((part) => part.type === "text")
    .map((part) => part.text)
    .join("\n");
}

/** The content with its text replaced; other parts stay. */
export function withText(content: string | readonly ContentPart[], text: string): string | readonly ContentPart[] {
  if (typeof content === "string") return text;
  const rest = content.filter((part) => part.type !== "text");
  return rest.length === 0 ? text : [{ type: "text", text }, ...rest];
}
