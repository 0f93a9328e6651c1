import type { Principal, ResolvedTool } from "@bailiwick/core";

/** Sources whose definitions, schemas included, are the developer's or operator's own words. */
const ownVoices: ReadonlySet<ResolvedTool["__trustClass"]> = new Set([
  "first-party-user-defined",
  "first-party-built-in",
  "skill-trusted",
]);

/** True if a tool's definition was chosen by the developer or operator. */
export function isOwnVoice(tool: Pick<ResolvedTool, "__trustClass">): boolean {
  return ownVoices.has(tool.__trustClass);
}

/** A tool's source as a principal. First-party tools share one, because each may read what another stored. */
export function sourceOf(tool: ResolvedTool): Principal {
  const source = tool.__source;
  switch (source.kind) {
    case "mcp":
      return `source:mcp:${source.serverIdentity}`;
    case "skill":
      return `source:skill:${source.skillName}`;
    case "web-search":
      return `source:web-search:${source.providerName}`;
    case "client":
      return "source:client";
    default:
      return "source:first-party";
  }
}
