import type { ContentPart } from "../contracts/content-part.ts";

/** The text of a message's content, its text parts joined. */
export function textOfContent(
  content: string | readonly { readonly type: string; readonly text?: string | undefined }[],
): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" && part.text !== undefined ? [part.text] : [])).join("\n");
}

/** The content with its text replaced; other parts stay. */
export function withText(content: string | readonly ContentPart[], text: string): string | readonly ContentPart[] {
  if (typeof content === "string") return text;
  const rest = content.filter((part) => part.type !== "text");
  return rest.length === 0 ? text : [{ type: "text", text }, ...rest];
}
