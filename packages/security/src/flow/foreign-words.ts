import type { ResolvedTool } from "@bailiwick/core";

import { detectInjection } from "../sanitize/detect-injection.ts";

const known = new WeakMap<ResolvedTool, boolean>();

/**
 * [sanitize.detection-raises] Whether what a server says of its tool speaks to the model: such a definition is read with
 * every request, and nobody vouches for it. Words in which nothing is found are no reason to trust the server.
 */
export function speaksToModel(tool: ResolvedTool): boolean {
  let found = known.get(tool);
  if (found === undefined) {
    const words = `${tool.description}\n${JSON.stringify(tool.__inputJsonSchema)}`;
    found = detectInjection(words, true).length > 0;
    // Only speed: a definition does not change.
    known.set(tool, found);
  }
  return found;
}
