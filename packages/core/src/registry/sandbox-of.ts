import type { ModuleEntry, NetworkAccess, SandboxConfig, TierlessSandboxConfig } from "../contracts/sandbox-config.ts";
import type { SandboxWord } from "../contracts/ports/sandbox.ts";
import type { Tool } from "../contracts/tool.ts";
import type { SandboxPolicy } from "../contracts/vocabularies.ts";
import { ConfigurationError, InvalidToolError } from "../errors/configuration-errors.ts";
import {
  anyText,
  atLeast,
  either,
  flag,
  listOf,
  oneOf,
  recordOf,
  said,
  shape,
  strings,
  text,
  type Fields,
} from "../errors/value-checks.ts";
import { VOCABULARIES } from "../tools/vocabularies.ts";

/** Strength of each tier; `wasm` counts as strong as `os`. */
export const STRENGTH: Readonly<Record<SandboxPolicy, number>> = { none: 0, process: 1, os: 2, wasm: 2, remote: 3 };

const limits: readonly string[] = ["tier", "enabled", "timeout", "maxMemoryMB"];
const rights: readonly string[] = [...limits, "allowNetwork", "allowFS", "env"];
const open: readonly string[] = [
  ...rights,
  "acknowledgeUnrestricted",
  "maxProcesses",
  "maxFileMB",
  "maxTemporaryMB",
  "maxDiskMB",
];

/** Options that the configuration of each tier takes. */
const SETTINGS: Readonly<Record<SandboxPolicy, readonly string[]>> = {
  none: limits,
  wasm: limits,
  process: rights,
  os: [...open, "fallback"],
  remote: open,
};

/** Members of each form of a configuration. */
type Members<Form> = Form extends unknown ? keyof Form & string : never;

const positive = atLeast(Number.MIN_VALUE);

/** Every field of a sandbox configuration. A text in place of a flag or a list would be read as a right that was not granted. */
export const sandboxFields: Fields<Members<SandboxConfig>> = {
  tier: oneOf(VOCABULARIES.sandboxPolicy),
  enabled: flag,
  timeout: positive,
  maxMemoryMB: positive,
  allowNetwork: either(
    "is true, false, an array of hosts or { hosts, loopback }",
    flag,
    strings,
    shape({ hosts: strings, loopback: flag }),
  ),
  allowFS: either(
    "is true, false or { readOnly, readWrite, mounts } with arrays of paths and of { source, target, readOnly }",
    flag,
    shape({
      readOnly: strings,
      readWrite: strings,
      mounts: listOf(shape({ source: text, target: text, readOnly: flag })),
    }),
  ),
  maxProcesses: positive,
  maxFileMB: positive,
  maxTemporaryMB: positive,
  maxDiskMB: positive,
  env: recordOf(anyText),
  acknowledgeUnrestricted: flag,
  fallback: oneOf(["wasm"]),
};

/** True if `execute` is a module entry. */
export function isModuleEntry(execute: Tool["execute"]): execute is ModuleEntry {
  return typeof execute !== "function";
}

/** Settings of the agent and the operator for a tool's sandbox. */
export interface SandboxSettings {
  /** The weakest tier that the source may run in. */
  readonly minimum: SandboxPolicy;
  /** The source, for errors. */
  readonly source: string;
  /** The agent's own default for tools that are module entries. */
  readonly agentDefault?: SandboxConfig | TierlessSandboxConfig | undefined;
  /** The request comes from the operator, not from the tool. */
  readonly operatorSaid: boolean;
  /** A trusted skill may run without a sandbox. */
  readonly allowUnsandboxed: boolean;
  readonly hasSandbox: boolean;
}

/**
 * The sandbox of a tool: its request, raised to the minimum of its source, never lowered.
 *
 * @throws InvalidToolError for a closure with a sandbox, a request weaker than the source's minimum, a contradictory
 *   configuration, and a tool that needs a sandbox if there is none.
 */
export function sandboxOf(
  tool: Tool,
  settings: SandboxSettings,
): { readonly config: SandboxConfig; readonly saidBy: SandboxWord } {
  const minimum = settings.allowUnsandboxed ? "none" : settings.minimum;
  const requested = requestOf(tool);
  const config = isModuleEntry(tool.execute)
    ? ofModule(tool, requested ?? raised(withTier(settings.agentDefault), minimum), minimum)
    : ofClosure(tool, requested, minimum, settings);
  if (STRENGTH[config.tier] < STRENGTH[minimum]) {
    throw new InvalidToolError(
      tool.name,
      `sandboxPolicy "${config.tier}" is weaker than "${minimum}", the least for tools of ${settings.source}. A tool may only ask for more.`,
    );
  }
  if (isModuleEntry(tool.execute) && !settings.hasSandbox) {
    throw new InvalidToolError(
      tool.name,
      `its module is run by a sandbox ("${config.tier}") and this agent has none. Use Agent of @bailiwick/agent, or give the sandbox of @bailiwick/security.`,
    );
  }
  return { config, saidBy: wordOf(tool, requested, settings) };
}

function wordOf(tool: Tool, requested: SandboxConfig | undefined, settings: SandboxSettings): SandboxWord {
  if (requested !== undefined) return settings.operatorSaid ? "operator" : "tool";
  return isModuleEntry(tool.execute) && settings.agentDefault !== undefined ? "agent" : "source";
}

function requestOf(tool: Tool): SandboxConfig | undefined {
  const { sandboxPolicy } = tool;
  if (sandboxPolicy === undefined) return undefined;
  if (typeof sandboxPolicy === "string") return configOf(sandboxPolicy);
  const problem = shape(sandboxFields)(sandboxPolicy) ?? problemOf(sandboxPolicy);
  if (problem !== undefined) throw new InvalidToolError(tool.name, `${said("sandboxPolicy", problem)}.`);
  return withTier(sandboxPolicy);
}

/**
 * Names the tier of a configuration without one: `os`, or `wasm` if `os` is not available and no rights are granted.
 */
function withTier(config: SandboxConfig | TierlessSandboxConfig | undefined): SandboxConfig | undefined {
  if (config === undefined || config.tier !== undefined) return config;
  return { ...config, tier: "os", ...(grantsNothing(config) && { fallback: "wasm" }) };
}

function grantsNothing({
  allowNetwork = false,
  allowFS = false,
  env = {},
}: Pick<TierlessSandboxConfig, "allowNetwork" | "allowFS" | "env">): boolean {
  const files =
    allowFS === true ||
    (allowFS !== false && [allowFS.readOnly, allowFS.readWrite, allowFS.mounts].some((one) => one?.length));
  const network = allowNetwork === true || (allowNetwork !== false && opensNetwork(allowNetwork));
  return !files && !network && Object.keys(env).length === 0;
}

function opensNetwork(given: readonly string[] | NetworkAccess): boolean {
  const { hosts = [], loopback = false } = isHosts(given) ? { hosts: given } : given;
  return hosts.length > 0 || loopback;
}

/** True for the short form of a right to the network: the hosts alone. */
export function isHosts(given: readonly string[] | NetworkAccess): given is readonly string[] {
  return Array.isArray(given);
}

function configOf(tier: SandboxPolicy): SandboxConfig {
  return tier === "process" ? { tier, allowNetwork: true, allowFS: true } : { tier };
}

/** A default for all tools; the source of a tool may require more. */
function raised(config: SandboxConfig | undefined, minimum: SandboxPolicy): SandboxConfig | undefined {
  const isWeaker = config !== undefined && STRENGTH[config.tier] < STRENGTH[minimum];
  return isWeaker ? lowered(config, minimum) : config;
}

/** The minimum of the source, with the requested limits: turning a sandbox off loosens no limit. */
function lowered({ timeout, maxMemoryMB }: SandboxConfig, minimum: SandboxPolicy): SandboxConfig {
  return {
    ...configOf(minimum),
    ...(timeout !== undefined && { timeout }),
    ...(maxMemoryMB !== undefined && { maxMemoryMB }),
  };
}

function ofModule(tool: Tool, requested: SandboxConfig | undefined, minimum: SandboxPolicy): SandboxConfig {
  const { module, export: exported } = tool.execute as ModuleEntry;
  if (!(module instanceof URL) || module.protocol !== "file:") {
    throw new InvalidToolError(
      tool.name,
      `execute.module must be an absolute file: URL, such as \`new URL("./tool.js", import.meta.url)\`.`,
    );
  }
  if (typeof exported !== "string" || exported === "") {
    throw new InvalidToolError(tool.name, "execute.export must be the name of the module's exported function.");
  }
  const config = requested?.enabled === false ? lowered(requested, minimum) : (requested ?? configOf(minimum));
  if (config.tier === "none" && requested === undefined) {
    throw new InvalidToolError(
      tool.name,
      `its execute is a module entry and no sandbox is asked for. Give sandboxPolicy ("wasm", "process", "os", "remote", or "none" for code of your own that may do anything) or Agent({ sandbox }).`,
    );
  }
  return config;
}

function ofClosure(
  tool: Tool,
  requested: SandboxConfig | undefined,
  minimum: SandboxPolicy,
  settings: SandboxSettings,
): SandboxConfig {
  const way = `Use sandboxedTool(): a closure cannot leave this process. Move its code into a file, such as export function run(input) { … } in tool.js, and set execute: { module: new URL("./tool.js", import.meta.url), export: "run" }.`;
  if (requested !== undefined && requested.tier !== "none" && requested.enabled !== false) {
    throw new InvalidToolError(
      tool.name,
      `its execute is a closure and sandboxPolicy asks for a sandbox ("${requested.tier}"). ${way}`,
    );
  }
  if (minimum !== "none") {
    throw new InvalidToolError(
      tool.name,
      `its execute is a closure, and tools of ${settings.source} run in "${minimum}" at least. ${way}`,
    );
  }
  const { agentDefault } = settings;
  if (
    requested === undefined &&
    // A tool that runs an agent has no code itself: the tools of the agent have their sandboxes.
    tool.composition === undefined &&
    agentDefault !== undefined &&
    agentDefault.tier !== "none" &&
    agentDefault.enabled !== false
  ) {
    throw new InvalidToolError(
      tool.name,
      `its execute is a closure, and the sandbox of the agent, or of a run around it, is "${agentDefault.tier ?? "os"}". ${way} Set sandboxPolicy: "none" on the tool if the code is your own.`,
    );
  }
  return requested ?? { tier: "none" };
}

/**
 * Checks the option `sandbox`, whose fields have the right form.
 *
 * @param where - The agent or the run that has it, for the message.
 * @throws ConfigurationError `INVALID_OPTION` for a contradictory configuration, or one that its tier cannot enforce.
 */
export function checkSandbox(config: SandboxConfig | TierlessSandboxConfig | undefined, where: string): void {
  const problem = config === undefined ? undefined : problemOf(config);
  if (problem !== undefined) throw new ConfigurationError("INVALID_OPTION", `"sandbox" of ${where} ${problem}.`);
}

/** The error of a configuration, as the end of a sentence. */
function problemOf(given: SandboxConfig | TierlessSandboxConfig): string | undefined {
  if (given.tier === undefined && "fallback" in given) return `has a "fallback" and no tier: it goes with tier "os"`;
  const config = withTier(given) as SandboxConfig;
  const allowed = SETTINGS[config.tier];
  for (const [key, value] of Object.entries(config)) {
    if (value !== undefined && !allowed.includes(key)) return `of tier "${config.tier}" cannot honour "${key}"`;
  }
  return problemOfRights(config);
}

/** The error in the rights of a configuration whose names and limits are valid. */
function problemOfRights(config: SandboxConfig): string | undefined {
  if (config.tier === "process" && !(config.allowNetwork && config.allowFS)) {
    return `of tier "process" restricts neither network nor files: confirm this with allowNetwork: true and allowFS: true`;
  }
  if (config.tier === "os" && config.fallback !== undefined) {
    if (!grantsNothing(config)) return `has a "fallback", which grants no allowNetwork, allowFS or env`;
  }
  return openProblem(config);
}

function openProblem(config: SandboxConfig): string | undefined {
  if (config.tier !== "os" && config.tier !== "remote") return undefined;
  for (const key of ["allowNetwork", "allowFS"] as const) {
    if (config[key] === true && config.acknowledgeUnrestricted !== true)
      return `has "${key}: true", which needs acknowledgeUnrestricted: true; name hosts or paths instead`;
  }
  return undefined;
}
