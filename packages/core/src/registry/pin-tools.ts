import type { JsonSchema } from "../contracts/json.ts";
import type { Hasher } from "../contracts/ports/hasher.ts";
import { canonicalJson } from "../json/canonical-json.ts";
import { defaultHasher } from "../journal/default-ports.ts";
import { isStandardSchema, toJsonSchema } from "../tools/standard-schema.ts";
import { definitionHash } from "./definition-hash.ts";
import type { ServedTool } from "./served-tool.ts";
import { checkArgument } from "../errors/value-checks.ts";

/**
 * Pins the definitions of a server's tools: each name with the hash of the definition. Store the pins next to the
 * server: they reveal a definition that changed after a person reviewed it.
 *
 * @param served - The tools, as the server lists them.
 * @param hasher - SHA-256. Default: the portable one.
 * @throws SchemaNotConvertibleError if an input schema has no JSON Schema.
 * @example
 * ```ts
 * import { pinTools, tool } from "@bailiwick/core";
 *
 * const listIssues = tool({ name: "list_issues", description: "Lists.", inputSchema: { type: "object" }, execute: () => [] });
 *
 * console.log(pinTools([{ tool: listIssues }])); // { list_issues: "…" }
 * ```
 */
export function pinTools(
  served: readonly ServedTool[],
  hasher: Hasher = defaultHasher(),
): Readonly<Record<string, string>> {
  checkArgument(served, "array", "pinTools(tools)");
  return Object.fromEntries(served.map((each) => [each.tool.name, pinOf(each, hasher)]));
}

/** The hash of a served tool: its definition, its output schema, and its hints. */
export function pinOf({ tool, annotations }: ServedTool, hasher: Hasher): string {
  const { name, description, inputSchema, outputSchema } = tool;
  const what = `of tool "${name}"`;
  const inputJsonSchema = (tool.inputJsonSchema ??
    (isStandardSchema(inputSchema)
      ? toJsonSchema(inputSchema, "input", `The inputSchema ${what}`)
      : inputSchema)) as JsonSchema;
  const output = isStandardSchema(outputSchema)
    ? toJsonSchema(outputSchema, "output", `The outputSchema ${what}`)
    : null;
  const definition = definitionHash(hasher, { name, description, inputJsonSchema });
  return hasher.sha256(canonicalJson([definition, output, annotations ?? {}]));
}
