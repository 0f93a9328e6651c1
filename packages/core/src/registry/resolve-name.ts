import type { ResolvedTool } from "../contracts/resolved-tool.ts";
import { UnknownToolNameError } from "../errors/configuration-errors.ts";
import { qualifiedName } from "./collisions.ts";
import { nearestNames } from "../errors/nearest-names.ts";
import { namespaceOf } from "./source-defaults.ts";
import type { ToolSet } from "./tool-set.ts";

/**
 * The final name for a name in a policy, a stop condition or a grant.
 *
 * @param name - A final name, the author's name, or the full `<namespace>.<name>`.
 * @param namespaces - Namespaces of servers whose tools are not known yet; names under them are kept.
 * @throws UnknownToolNameError if it matches nothing, or two tools.
 */
export function resolveToolName(
  name: string,
  toolSet: ToolSet,
  namespaces: readonly string[],
  option?: string,
): string {
  const owners = [...toolSet.named].filter(([, entry]) => entry.name === name).map(([final]) => final);
  if (owners.length > 1) {
    const full = owners.map((final) => {
      const entry = toolSet.named.get(final);
      return final === name && entry !== undefined ? qualifiedName(entry) : final;
    });
    throw new UnknownToolNameError(
      name,
      `"${name}" could be any of ${full.map((each) => `"${each}"`).join(", ")}. Give the name in full.`,
    );
  }
  if (toolSet.byName.has(name)) return name;
  if (owners[0] !== undefined) return owners[0];
  for (const [final, entry] of toolSet.named) if (qualifiedName(entry) === name) return final;
  const known = new Set(namespaces);
  for (const { source } of toolSet.named.values()) if (source.kind === "mcp") known.add(namespaceOf(source));
  for (const namespace of known) if (name.startsWith(`${namespace}.`)) return name;
  if (namesOf(toolSet.tools).includes(name)) return name;
  const nearest = nearestNames(name, toolSet.byName.keys());
  const own = toolSet.tools.filter((tool) => tool.__source.kind !== "built-in").slice(0, 20);
  const quoted = (nearest.length > 0 ? nearest : own.map((tool) => tool.name)).map((each) => `"${each}"`);
  const hint = nearest.length > 0 ? `Did you mean ${quoted.join(" or ")}?` : `The tools are: ${quoted.join(", ")}.`;
  const where = option === undefined ? "" : `, which ${option} names`;
  throw new UnknownToolNameError(name, `There is no tool "${name}"${where}. ${hint}`);
}

/** A tool that runs an agent or a program of this framework: the calls inside are gated. */
export function isGatedInside({ composition }: Pick<ResolvedTool, "composition">): boolean {
  return (composition as { readonly gated?: boolean } | undefined)?.gated === true;
}

/**
 * Names of tools, and of the tools that agents and programs among them call, at any depth: policies may name them.
 *
 * @param tools - The tools.
 */
export function namesOf(tools: readonly Pick<ResolvedTool, "name" | "composition">[]): readonly string[] {
  return tools.flatMap(({ name, composition }) => [
    name,
    ...((composition as { readonly names?: readonly string[] } | undefined)?.names ?? []),
  ]);
}
