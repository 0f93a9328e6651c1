import type { Tool } from "../contracts/tool.ts";
import type { InboundSanitizationPolicy } from "../contracts/vocabularies.ts";
import type { SourceDefaults } from "./source-defaults.ts";

/** The treatment of text that other people wrote: nothing hidden reaches the model, and a frame says that it is theirs. */
export const untrustedSanitization: InboundSanitizationPolicy = "detect-and-strip-and-wrap";

/** The treatment of a tool's results when the tool asks for none: by their declared label first, then by the source. */
export function defaultSanitization(
  { output }: Pick<Tool, "output">,
  defaults: Pick<SourceDefaults, "inboundSanitization" | "trustClass">,
): InboundSanitizationPolicy {
  // Built-in tools treat text themselves.
  if (defaults.trustClass === "first-party-built-in") return defaults.inboundSanitization;
  return output?.integrity === "untrusted" ? untrustedSanitization : defaults.inboundSanitization;
}
