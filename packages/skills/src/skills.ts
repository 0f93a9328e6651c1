import type { Extension, Logger } from "@bailiwick/core";
import { ConfigurationError, checkKnownNames } from "@bailiwick/core/extension";
import { deleteOldCopies, keepCopy } from "./kept-copies.ts";
import { knownSkills, type KnownSkill } from "./known-skills.ts";
import { readLockFile, type LockedSkills } from "./lock-file.ts";
import type { ReadSkill } from "./read-skill.ts";
import { isHash } from "./skill.ts";
import { SkillInvalidError, mistakeLine } from "./skill-errors.ts";
import { SKILL, skillTools } from "./skill-tools.ts";
import { checkOrigin, readSources, type SkillOrigin, type SkillSource } from "./sources.ts";
import { checkStateFolder, stateFolder } from "./state-folder.ts";

/** The part of a workspace that skills need: it mounts their files. */
export interface SkillWorkspace {
  /**
   * Mounts a folder before the sandbox starts.
   *
   * @param folder - The place inside, the folder on this machine, and that nothing inside may write it.
   */
  mount(folder: { readonly target: string; readonly from: string; readonly readOnly: true }): void;
}

/** Options of `skills()`. */
export interface SkillsOptions {
  /** Trust of sources that name none. `own` is for folders that only you write. Default `outside`. */
  readonly origin?: SkillOrigin | undefined;
  /** Mounts the files of each skill, read-only, at `/skills/<name>`, so that the model's commands can run its scripts. */
  readonly workspace?: SkillWorkspace | undefined;
  /** Path of the lock file, which pins the text of each skill. Default: no lock file. */
  readonly lock?: string | undefined;
  /** Hashes of skills of others that count as yours, for servers; `bailiwick skills accept` prints them. */
  readonly accepted?: readonly string[] | undefined;
  /** Offers only skills that are in the lock file and unchanged; for servers and CI. Default false. */
  readonly frozen?: boolean | undefined;
  /** Receives warnings. Default: the console. */
  readonly logger?: Pick<Logger, "warn"> | undefined;
}

/** Hashes of the skills that a run has loaded, by name. */
type SkillsState = { readonly [name: string]: string };

/**
 * Reads folders of skills, and makes the extension that offers them: the model sees names, and loads a text when it
 * needs it. Every file is read once; a change on disk changes nothing in this process. The text of others is untrusted
 * content, and a skill grants nothing.
 *
 * @param source - A folder of skills, `{ folder }` or `{ package }`, or a list of them.
 * @param options - The trust of sources without their own, the workspace, the lock file, and accepted hashes.
 * @returns an extension for `extensions` of an agent.
 * @throws SkillInvalidError `SKILL_INVALID` with all mistakes of all skills.
 * @throws ConfigurationError `SKILL_SOURCE`, `SKILL_TWICE`, `SKILL_LOCK_MISSING`, `SKILL_LOCK_INVALID`,
 *   `SKILL_ACCEPTANCES_EXPOSED`, `INVALID_OPTION`, `UNKNOWN_OPTION`
 * @example
 * ```ts
 * import { Agent, type ModelProvider } from "@bailiwick/agent";
 * import { skills } from "@bailiwick/skills";
 *
 * export async function deskAgent(model: ModelProvider) {
 *   return new Agent({ name: "desk", model, extensions: [await skills("./skills", { origin: "own" })] });
 * }
 * ```
 */
export async function skills(
  source: SkillSource | readonly SkillSource[],
  options: SkillsOptions = {},
): Promise<Extension> {
  checkOptions(options);
  const { workspace, lock, accepted = [], frozen = false, logger = console } = options;
  const locked: LockedSkills = lock === undefined ? new Map() : readLockFile(lock);
  const sources = Array.isArray(source) ? (source as readonly SkillSource[]) : [source as SkillSource];
  const { read, folders } = await readSources(sources, checkOrigin(options.origin) ?? "outside");
  checkStateFolder(stateFolder(), folders);
  const broken = read.filter(({ mistakes }) => mistakes.length > 0);
  const refused = broken.filter((one) => !frozen || one.place.origin === "own" || locked.has(one.name));
  if (refused.length > 0) throw new SkillInvalidError(refused.flatMap(({ mistakes }) => mistakes));
  for (const { name, mistakes } of broken)
    logger.warn(
      `The skill "${name}" is left out, because it is not in the lock file and cannot be read: ${mistakes.map(mistakeLine).join("; ")}`,
    );
  for (const warning of read.flatMap(({ warnings }) => warnings)) logger.warn(warning);

  const offered = knownSkills(skillsOf(read), locked, accepted).filter((known) => isOffered(known, frozen, logger));
  if (workspace === undefined) warnOfScripts(offered, logger);
  else await mountAll(offered, workspace);
  return extensionOf(offered, workspace !== undefined);
}

const skillsOf = (read: readonly ReadSkill[]) => read.flatMap(({ skill }) => skill ?? []);

function isOffered({ skill, changed, locked }: KnownSkill, frozen: boolean, logger: Pick<Logger, "warn">): boolean {
  if (changed.length > 0)
    logger.warn(
      `[skill_changed] The skill "${skill.name}" differs from the lock file: ${changed.join(", ")}. ${frozen ? "It is not offered. " : ""}Look at it with npx bailiwick skills diff ${skill.name}, then run npx bailiwick skills lock.`,
      { code: "skill_changed", skill: skill.name, changed },
    );
  return !frozen || (locked !== undefined && changed.length === 0);
}

function warnOfScripts(offered: readonly KnownSkill[], logger: Pick<Logger, "warn">): void {
  const names = offered
    .filter(({ skill }) =>
      [...skill.files].some(([path, { isExecutable }]) => isExecutable || path.startsWith("scripts/")),
    )
    .map(({ skill }) => skill.name);
  if (names.length > 0)
    logger.warn(
      `[skill_needs_workspace] These skills have scripts, which run only in a workspace: ${names.join(", ")}. Their texts work. Pass \`workspace\` to run the scripts.`,
      { code: "skill_needs_workspace", skills: names },
    );
}

async function mountAll(offered: readonly KnownSkill[], workspace: SkillWorkspace): Promise<void> {
  deleteOldCopies(Date.now());
  for (const { skill } of offered)
    workspace.mount({ target: `/skills/${skill.name}`, from: await keepCopy(skill), readOnly: true });
}

const changedNotice = "This skill has changed since it was read before.";

function extensionOf(offered: readonly KnownSkill[], hasWorkspace: boolean): Extension {
  const hashes = new Map(offered.map(({ skill }) => [skill.name, skill.hash]));
  const extension: Extension<SkillsState> = {
    name: "skills",
    initialState: {},
    tools: offered.length === 0 ? [] : skillTools(offered, hasWorkspace),
    result({ toolName, args, isError, text }, ctx) {
      const name = toolName === SKILL ? (args as { readonly name?: string } | undefined)?.name : undefined;
      const hash = name === undefined || isError ? undefined : hashes.get(name);
      if (name === undefined || hash === undefined) return undefined;
      const before = ctx.state?.[name];
      if (before !== hash) ctx.setState({ ...ctx.state, [name]: hash });
      if (before === undefined || before === hash) return undefined;
      return { replaceResult: `${changedNotice}\n\n${text}`, integrity: "kept" };
    },
  };
  return extension;
}

function checkOptions(options: SkillsOptions): void {
  checkKnownNames(options, ["origin", "workspace", "lock", "accepted", "frozen", "logger"], "skills()");
  const { workspace, lock, accepted = [], frozen, logger } = options;
  if (workspace !== undefined && typeof (workspace as Partial<SkillWorkspace>).mount !== "function")
    throw invalid("workspace has no `mount`. Pass what workspace() returned");
  if (lock !== undefined && (typeof lock !== "string" || lock === "")) throw invalid("lock is not the path of a file");
  if (!Array.isArray(accepted)) throw invalid("accepted is not a list of hashes");
  for (const one of accepted as readonly unknown[])
    if (!isHash(one))
      throw invalid(
        `accepted has ${JSON.stringify(one)}. Pass a hash that npx bailiwick skills accept printed: "sha256-…"`,
      );
  if (frozen !== undefined && typeof frozen !== "boolean") throw invalid("frozen is not true or false");
  if (logger !== undefined && typeof (logger as Partial<Logger>).warn !== "function")
    throw invalid("logger has no `warn`");
  if (frozen === true && lock === undefined)
    throw new ConfigurationError(
      "SKILL_LOCK_MISSING",
      "skills(): frozen needs `lock`. Run npx bailiwick skills lock, commit the file, and pass its path.",
    );
}

function invalid(problem: string): ConfigurationError {
  return new ConfigurationError("INVALID_OPTION", `skills(): ${problem}.`);
}
