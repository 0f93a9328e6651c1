import type { JsonSchema } from "../contracts/json.ts";
import type { Hasher } from "../contracts/ports/hasher.ts";
import { canonicalJson } from "../json/canonical-json.ts";

/**
 * Hash of what a tool is: its name, what the model is notified of it, and for a sandboxed tool its code. Approvals, pins
 * and resumed runs are checked against it. The name is the one its author gave, so that a rename after a collision
 * changes no hash.
 *
 * @param hasher - Where SHA-256 comes from.
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
