import type { LanguageModelV4ToolResultOutput } from "@ai-sdk/provider";
import type { ToolMessage, Warning } from "@bailiwick/core/provider";
import { filePart, type SupportedUrls } from "./files.ts";
import type { ModelContext } from "./model-context.ts";

/**
 * The result of a call in the AI SDK's form: text, or a list if it holds media.
 *
 * @param message - As compiled for this model.
 * @param context - The model.
 * @param urls - Addresses that the model accepts.
 * @param warnings - Gets an entry for each part that is left out.
 */
export function resultOutput(
  { content, isError }: ToolMessage,
  context: ModelContext,
  urls: SupportedUrls,
  warnings: Warning[],
): LanguageModelV4ToolResultOutput {
  const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  // Packages write a list as JSON if they only support text.
  if (parts.every((part) => part.type === "text")) {
    const value = parts.map((part) => part.text).join("\n");
    return { type: isError === true ? "error-text" : "text", value };
  }
  const value = parts.map((part) =>
    part.type === "text"
      ? { type: "text" as const, text: part.text }
      : withoutOptions(filePart(part, context, urls, warnings)),
  );
  return { type: "content", value: isError === true ? [{ type: "text", text: "Error:" }, ...value] : value };
}

function withoutOptions(part: ReturnType<typeof filePart>) {
  return part.type === "text" ? { type: part.type, text: part.text } : part;
}
