import type { Tool } from "../contracts/tool.ts";
import type { ServedTools, ToolServer } from "../contracts/tool-server.ts";
import { ConfigurationError } from "../errors/configuration-errors.ts";
import { MAX_NAME, qualifiedName } from "./collisions.ts";
import { describeSource, namespaceOf } from "./source-defaults.ts";

/** Joins an agent's tools with those of its servers: the same servings give the same list, so a registry is built once. */
type JoinTools = (own: readonly Tool[], served: readonly ServedTools[]) => readonly Tool[];

/**
 * Remembers which server has which name. A name that one server had is never given to another one: not while the first
 * is away, and not after it took its tool back. Such a tool is called by its full name.
 *
 * @param servers - In the order of trust: on a collision the earlier one keeps the name.
 * @throws ConfigurationError `DUPLICATE_TOOL_SERVER` if two would have the same full names.
 */
export function toolsOfServers(servers: readonly ToolServer[]): JoinTools {
  checkNamespaces(servers);
  const holders = new Map<string, string>();
  const inFull = new WeakMap<Tool, Tool>();
  return (own, served) => {
    const all = [...own];
    let earlierIsAway = false;
    const present = served.map(({ tools }) => new Set(tools.map(({ name }) => name)));
    const isServing = (holder: string, name: string): boolean =>
      servers.some(({ source }, index) => describeSource(source) === holder && present[index]?.has(name) === true);
    for (const [index, { source }] of servers.entries()) {
      const { tools = [], isAbsent = false } = served[index] ?? {};
      const me = describeSource(source);
      for (const tool of tools) {
        const holder = holders.get(tool.name);
        const isForeign = holder !== undefined && holder !== me && !isServing(holder, tool.name);
        if (!earlierIsAway && !isForeign) {
          if (holder === undefined) holders.set(tool.name, me);
          all.push(tool);
          continue;
        }
        let renamed = inFull.get(tool);
        if (renamed === undefined) {
          renamed = Object.freeze({ ...tool, name: qualifiedName({ name: tool.name, source }).slice(0, MAX_NAME) });
          inFull.set(tool, renamed);
        }
        all.push(renamed);
      }
      earlierIsAway ||= isAbsent;
    }
    return all;
  };
}

function checkNamespaces(servers: readonly ToolServer[]): void {
  const known = new Map<string, string>();
  for (const { source } of servers) {
    const namespace = namespaceOf(source);
    const other = known.get(namespace);
    if (other !== undefined) {
      throw new ConfigurationError(
        "DUPLICATE_TOOL_SERVER",
        `${other} and ${describeSource(source)} would both name their tools "${namespace}.…". Give one of them another name.`,
      );
    }
    known.set(namespace, describeSource(source));
  }
}
