import type {
  InboundSanitizationPolicy,
  MemoryGuardTier,
  SandboxPolicy,
  SideEffectClass,
  ToolSource,
  ToolTrustClass,
} from "../contracts/vocabularies.ts";
import { ConfigurationError } from "../errors/configuration-errors.ts";

/** Defaults that depend on the source of a tool. */
export interface SourceDefaults {
  /** Trust in the source. */
  readonly trustClass: ToolTrustClass;
  /** Treatment of results. */
  readonly inboundSanitization: InboundSanitizationPolicy;
  /** The effect that is assumed. */
  readonly sideEffectClass: SideEffectClass;
  /**
   * Weakest tier that its code may run in. Tools of MCP servers run in the server; a stdio server runs in `os`,
   * where it is started.
   */
  readonly minimumSandbox: SandboxPolicy;
  /** The rules for memory. */
  readonly memoryGuardTier: MemoryGuardTier;
  /** If names collide, the source with the highest number keeps the name. */
  readonly priority: number;
  /**
   * The source decides the effect and the trust of its tools; only the operator who registers a tool can declare others.
   * For other sources the defaults are assumptions about code without a declaration.
   */
  readonly operatorOnly: boolean;
}

/** The table of defaults, by trust class. */
const SOURCE_DEFAULTS: Readonly<Record<ToolTrustClass, SourceDefaults>> = Object.freeze({
  "first-party-built-in": {
    trustClass: "first-party-built-in",
    inboundSanitization: "pass-through",
    sideEffectClass: "side-effecting",
    minimumSandbox: "none",
    memoryGuardTier: "labelled",
    priority: 100,
    operatorOnly: false,
  },
  "first-party-user-defined": {
    trustClass: "first-party-user-defined",
    inboundSanitization: "detect-and-flag",
    sideEffectClass: "side-effecting",
    minimumSandbox: "none",
    memoryGuardTier: "labelled",
    priority: 100,
    operatorOnly: false,
  },
  "skill-trusted": {
    trustClass: "skill-trusted",
    inboundSanitization: "detect-and-flag",
    sideEffectClass: "side-effecting",
    minimumSandbox: "os",
    memoryGuardTier: "isolated",
    priority: 80,
    operatorOnly: false,
  },
  "skill-untrusted": {
    trustClass: "skill-untrusted",
    inboundSanitization: "detect-and-strip-and-wrap",
    sideEffectClass: "external-stateful",
    minimumSandbox: "os",
    memoryGuardTier: "isolated",
    priority: 60,
    operatorOnly: true,
  },
  "mcp-derived": {
    trustClass: "mcp-derived",
    inboundSanitization: "detect-and-strip-and-wrap",
    sideEffectClass: "external-stateful",
    minimumSandbox: "none",
    memoryGuardTier: "isolated",
    priority: 40,
    operatorOnly: true,
  },
  "web-search": {
    trustClass: "web-search",
    inboundSanitization: "detect-and-strip-and-wrap",
    sideEffectClass: "read-only",
    minimumSandbox: "none",
    memoryGuardTier: "isolated",
    priority: 20,
    operatorOnly: true,
  },
} satisfies Record<ToolTrustClass, SourceDefaults>);

/** The trust class of a source; a tool's own declarations do not change it. */
function trustClassOf(source: ToolSource): ToolTrustClass {
  switch (source.kind) {
    case "built-in":
      return "first-party-built-in";
    case "first-party":
      return "first-party-user-defined";
    case "skill":
      return source.trustLevel === "trusted" ? "skill-trusted" : "skill-untrusted";
    case "mcp":
    // Tools of a page are third-party too: the operator did not write them.
    case "client":
      return "mcp-derived";
    case "web-search":
      return "web-search";
  }
}

/**
 * Defaults of a source.
 *
 * @param source - Source of a tool.
 * @throws ConfigurationError `UNKNOWN_TOOL_SOURCE` for an unknown kind or trust level.
 */
export function defaultsOf(source: ToolSource): SourceDefaults {
  const known = source.kind !== "skill" || source.trustLevel === "trusted" || source.trustLevel === "untrusted";
  const defaults = known ? (SOURCE_DEFAULTS[trustClassOf(source)] as SourceDefaults | undefined) : undefined;
  if (defaults !== undefined) return defaults;
  throw new ConfigurationError(
    "UNKNOWN_TOOL_SOURCE",
    `source.kind must be "first-party", "built-in", "skill" (with trustLevel "trusted" or "untrusted"), "mcp", "web-search" or "client"; it is ${JSON.stringify(source)}.`,
  );
}

/** The name of a source in errors and renames: `skill:weather`, `mcp:github`. */
export function describeSource(source: ToolSource): string {
  const name = nameOf(source);
  return name === undefined ? source.kind : `${source.kind}:${name}`;
}

/** The prefix for the name of a colliding tool, in the letters that names may have. */
export function namespaceOf(source: ToolSource): string {
  const name = (nameOf(source) ?? source.kind).replaceAll(/[^A-Za-z0-9_-]+/gu, "_").replaceAll(/^_+|_+$/gu, "");
  return name.slice(0, 48) || source.kind;
}

/** The name of a source among those of its kind. */
function nameOf(source: ToolSource): string | undefined {
  switch (source.kind) {
    case "built-in":
      return source.subsystem;
    case "skill":
      return source.skillName;
    case "mcp":
      return source.serverIdentity;
    case "web-search":
      return source.providerName;
    default:
      return undefined;
  }
}
