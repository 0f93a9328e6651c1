import type { Tool } from "@bailiwick/core";
import { registrationOf, withSource } from "@bailiwick/core/extension";

/**
 * A tool whose caller is a program: it reads the whole result as JSON. Results are sanitized when a model reads them.
 *
 * @param tool - The tool, with the source that registered it.
 * @param show - Writes the output as JSON. `undefined` for a tool of a source that may have no functions.
 */
export function forPrograms(tool: Tool, show: ((output: unknown, input: unknown) => string) | undefined): Tool {
  const { source, operator } = registrationOf(tool);
  const { toModelOutput: _own, ...rest } = tool;
  const given: Tool = {
    ...rest,
    defer_loading: false,
    maxResultTokens: Number.MAX_SAFE_INTEGER,
    ...(show !== undefined && { toModelOutput: show }),
  };
  return withSource(given, source, {
    ...operator,
    ...(source.kind === "first-party" || source.kind === "built-in" ? {} : { allowWeakerSanitization: true }),
    inboundSanitization: "pass-through",
  });
}
