import type { JsonSchema } from "../contracts/json.ts";
import type { Hasher } from "../contracts/ports/hasher.ts";
import { canonicalJson } from "../json/canonical-json.ts";

/**
 * Hash of a tool's definition: its name, the text and schemas that the model gets, and for a sandboxed tool its code.
 * Approvals, pins and resumed runs are checked against it. The name is the author's, so that a rename after a
 * collision changes no hash.
 *
 * @param tool - The definition; `moduleHash` is empty for a closure.
 */
export function definitionHash(
  hasher: Hasher,
  tool: {
    readonly name: string;
    readonly description: string;
    readonly inputJsonSchema: JsonSchema;
    readonly moduleHash?: string | undefined;
    readonly runsOn?: "client" | undefined;
  },
): string {
  const parts: unknown[] = [tool.name, tool.description, tool.inputJsonSchema];
  if (tool.moduleHash !== undefined && tool.moduleHash !== "") parts.push(tool.moduleHash);
  if (tool.runsOn !== undefined) parts.push({ runsOn: tool.runsOn });
  return hasher.sha256(canonicalJson(parts));
}
