import type { Tool } from "../contracts/tool.ts";
import type { InboundSanitizationPolicy } from "../contracts/vocabularies.ts";
import type { SourceDefaults } from "./source-defaults.ts";

/** The treatment of text that other people wrote: hidden text is removed, and a frame marks it as theirs. */
export const untrustedSanitization: InboundSanitizationPolicy = "detect-and-strip-and-wrap";

/**
 * The treatment of a tool's results if the tool requests none: by their declared label first, then by the source.
 *
 * @param tool - The tool; its `output` is read.
 * @param defaults - Defaults of the tool's source.
 */
export function defaultSanitization(
  { output }: Pick<Tool, "output">,
  defaults: Pick<SourceDefaults, "inboundSanitization" | "trustClass">,
): InboundSanitizationPolicy {
  // Built-in tools treat text themselves.
  if (defaults.trustClass === "first-party-built-in") return defaults.inboundSanitization;
  return output?.integrity === "untrusted" ? untrustedSanitization : defaults.inboundSanitization;
}
