import { lstatSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, normalize, relative, resolve } from "node:path";
import { createHash } from "node:crypto";
import { checkKnownNames, ConfigurationError } from "@bailiwick/core/extension";
import type { WorkspaceLimits } from "./host/host.ts";
import { toolNames, type WorkspaceToolName } from "./tool-names.ts";
import type { WorkspaceOptions } from "./workspace-options.ts";
import type { WorkspaceSettings } from "./workspace-settings.ts";
import { WorkspaceError } from "./workspace-error.ts";

const optionNames = {
  instructions: true,
  include: true,
  setup: true,
  setupHosts: true,
  setupFiles: true,
  hosts: true,
  host: true,
  env: true,
  readOnly: true,
  mounts: true,
  limits: true,
  tools: true,
  keep: true,
} satisfies Record<keyof WorkspaceOptions, true>;

const defaultLimits: WorkspaceLimits = Object.freeze({
  memoryMB: 1_024,
  processes: 256,
  fileMB: 512,
  diskMB: 4_096,
  commandMs: 120_000,
  idleMs: 600_000,
  outputTokens: 8_000,
});

const refuse = (what: string): never => {
  throw new ConfigurationError("INVALID_OPTION", `workspace(): ${what}.`);
};

/**
 * Checks the options of a workspace.
 *
 * @throws ConfigurationError `INVALID_OPTION`
 * @throws WorkspaceError `WORKSPACE_FOLDER`
 */
export function checkOptions(folder: string, options: WorkspaceOptions): Omit<WorkspaceSettings, "host"> {
  checkKnownNames(options, Object.keys(optionNames), "workspace()");
  const real = realFolder(folder);
  const { env = {}, include = [], mounts = {}, readOnly = false, instructions = false } = options;
  for (const name of ["include", "setupFiles", "hosts", "setupHosts"] as const) checkTexts(name, options[name]);
  for (const path of include) checkInside(path);
  checkEnv(env);
  const changing: readonly WorkspaceToolName[] = ["write", "edit", "apply_changes"];
  const tools = toolsOf(options.tools);
  return {
    folder: real,
    keep: keepOf(options.keep, real),
    env,
    limits: limitsOf(options.limits),
    mounts: Object.entries(mounts).map(([target, { from, readOnly: only = true }]) => mountOf(target, from, only)),
    isStarted: { value: false },
    include: include.map((path) => normalize(path)),
    ...networkOf(options),
    readOnly,
    instructions,
    tools: tools.filter((name) => !(readOnly && changing.includes(name))),
    warn: (message) => process.emitWarning(message, { type: "WorkspaceWarning" }),
  };
}

function networkOf({
  setup,
  setupHosts = [],
  setupFiles,
  hosts = [],
}: WorkspaceOptions): Pick<WorkspaceSettings, "setup" | "setupHosts" | "setupFiles" | "hosts"> {
  if (setup === undefined && (setupHosts.length > 0 || setupFiles !== undefined))
    refuse("setupHosts and setupFiles are for setup, which is not given");
  if (setup !== undefined && (typeof setup !== "string" || setup.trim() === ""))
    refuse('setup must be a command, such as "npm ci"');
  for (const path of setupFiles ?? []) checkInside(path);
  for (const host of [...hosts, ...setupHosts]) checkHost(host);
  return { setup, setupHosts, setupFiles: setupFiles?.map((path) => normalize(path)), hosts };
}

function checkEnv(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) {
    if (!/^[A-Za-z_]\w*$/u.test(name)) refuse(`env has the name "${name}", which no environment can have`);
    if (typeof value !== "string")
      refuse(
        `env.${name} must be a text. A secret cannot enter a workspace: use a tool of your own for calls that need it`,
      );
  }
}

function limitsOf(given: WorkspaceOptions["limits"] = {}): WorkspaceLimits {
  checkKnownNames(given, Object.keys(defaultLimits), "workspace({ limits })");
  const limits: WorkspaceLimits = { ...defaultLimits, ...present(given) };
  for (const [name, value] of Object.entries(limits)) {
    if (typeof value !== "number" || !(value > 0) || value === Infinity)
      refuse(`limits.${name} must be a number above 0`);
  }
  return limits;
}

function toolsOf(given: readonly WorkspaceToolName[] = toolNames): readonly WorkspaceToolName[] {
  const unknown = given.find((name) => !toolNames.includes(name));
  if (unknown !== undefined) refuse(`tools has no "${unknown}"; there are ${toolNames.join(", ")}`);
  return toolNames.filter((name) => given.includes(name));
}

/** A mount after its check. */
export function mountOf(target: string, from: string, readOnly: boolean): WorkspaceSettings["mounts"][number] {
  if (typeof target !== "string" || !isAbsolute(target))
    refuse(`mounts has "${target}", which is not an absolute path inside`);
  if (typeof from !== "string" || !isAbsolute(from))
    refuse(`the mount at "${target}" comes from "${from}", which is not an absolute path of this machine`);
  return { source: from, target: resolve(target), readOnly };
}

function present<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function realFolder(folder: string): string {
  const wrong = (reason: string): never => {
    throw new WorkspaceError("WORKSPACE_FOLDER", `workspace("${folder}"): ${reason}.`);
  };
  if (typeof folder !== "string" || folder === "") return wrong("give the path of a folder");
  let real: string;
  try {
    real = realpathSync(folder);
  } catch {
    return wrong("there is no such folder. Create it, or check the path");
  }
  if (!statSync(real).isDirectory()) return wrong("it is a file. Give its folder");
  if (real === "/" || real === homedir())
    return wrong(`it is ${real === "/" ? "the whole machine" : "your home folder"}. Give the folder of a project`);
  return real;
}

/** Folder of the copies of one folder. */
function keepOf(keep: string | undefined, folder: string): string {
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  const base = resolve(keep ?? stateFolder());
  const way = relative(folder, base);
  if (way === "" || (!way.startsWith("..") && !isAbsolute(way)))
    throw new WorkspaceError(
      "WORKSPACE_FOLDER",
      `workspace("${folder}"): keep ("${base}") is inside the folder, where commands of a project could change it. Choose a folder outside.`,
    );
  return join(base, name);
}

/** Root's home folder cannot be entered by the user that sandboxes of root run as. */
function stateFolder(): string {
  if (process.getuid?.() === 0) return "/var/lib/bailiwick/workspaces";
  return join(process.env["XDG_STATE_HOME"] ?? join(homedir(), ".local", "state"), "bailiwick", "workspaces");
}

function checkTexts(name: string, value: readonly string[] | undefined): void {
  if (value === undefined) return;
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string" && item !== ""))
    refuse(`${name} must be an array of texts`);
}

function checkInside(path: string): void {
  if (isAbsolute(path) || normalize(path).split(/[/\\]/u).includes(".."))
    refuse(`"${path}" is outside the folder. Name it relative to the folder`);
}

function checkHost(host: string): void {
  if (/^\*|\/|\s/u.test(host)) refuse(`"${host}" is not the name of a host. Name each host, such as packages.example`);
}

/** The paths of `include` and `setupFiles` that the folder lacks. */
export function checkFiles(folder: string, names: Readonly<Record<string, readonly string[]>>): void {
  for (const [option, paths] of Object.entries(names)) {
    for (const path of paths) {
      const found = lstatSync(join(folder, path), { throwIfNoEntry: false });
      if (found === undefined) refuse(`${option} names "${path}", and the folder has no such file`);
    }
  }
}
