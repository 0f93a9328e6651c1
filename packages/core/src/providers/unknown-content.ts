import type { Warning } from "../contracts/model-response.ts";

/**
 * Warnings about content that this version does not know, one for each type: it is kept and sent back, but not shown.
 *
 * @param types - The vendor's names of the types, as often as they occur.
 * @param modelId - The model that wrote it.
 */
export function unknownContent(types: readonly string[], modelId: string): readonly Warning[] {
  return [...new Set(types)].map((type) => ({
    code: "unknown_content",
    message: `${modelId} answered with content of the type "${type}", which this version does not know. It is kept for the vendor and not shown. Look for a newer version of the provider.`,
    subject: type,
  }));
}
