import { createTwoFilesPatch } from "diff";
import { checkArgument, checkKnownNames, ConfigurationError } from "@bailiwick/core/extension";
import { keepAcceptance } from "./acceptances.ts";
import { keepCopy, keptCopy } from "./kept-copies.ts";
import { knownSkills, type KnownSkill } from "./known-skills.ts";
import { changedPaths, readLockFile, writeLockFile, type LockedSkills } from "./lock-file.ts";
import { textOf } from "./read-skill.ts";
import { readSources, type SkillOrigin, type SkillSource } from "./sources.ts";
import { SkillInvalidError, type SkillMistake } from "./skill-errors.ts";
import { skillFindings, type SkillFinding } from "./skill-findings.ts";
import { isHash } from "./skill.ts";
import { checkStateFolder, stateFolder } from "./state-folder.ts";

/** A skill as a list shows it. */
export interface SkillRow {
  /** Name of the skill. */
  readonly name: string;
  /** `folder:./skills` or `package:@acme/skills@2.1.0`. */
  readonly source: string;
  /** The folder on this machine. */
  readonly folder: string;
  /** Its trust; `changed` if it differs from the lock file. */
  readonly state: "own" | "accepted" | "outside" | "changed";
  /** True if the lock file has it. */
  readonly isLocked: boolean;
  /** Paths that differ from the lock file. */
  readonly changed: readonly string[];
  /** Tools that its author wants to be approved in advance; without effect. */
  readonly allowedTools: readonly string[];
  /** Size of its text in tokens of 4 bytes. */
  readonly tokens: number;
  /** Hash of the whole skill, for `accepted`. */
  readonly hash: string;
}

/** Skills as the command line sees them. */
export interface SkillShelf {
  /** The skills that can be read, by name. */
  readonly rows: readonly SkillRow[];
  /** Mistakes of skills that cannot be read. */
  readonly mistakes: readonly SkillMistake[];
  /** Names that the lock file has, and no source. */
  readonly missing: readonly string[];
  /** Writes the lock file: sources and hashes of all skills, and keeps copies for `diff`. It accepts nothing. */
  lock(): Promise<void>;
  /**
   * Shows the changes since the lock file, as a diff.
   *
   * @param name - One skill. Default: all that changed.
   */
  diff(name?: string): Promise<string>;
  /**
   * Everything that a person reads before they accept a skill.
   *
   * @param name - Name of the skill.
   */
  show(
    name: string,
  ): Promise<{ readonly hash: string; readonly text: string; readonly findings: readonly SkillFinding[] }>;
  /**
   * Accepts exactly the text of a hash for this user; one byte more or less is not accepted.
   *
   * @param acceptance - Name of the skill, the hash that was shown, and who accepts it.
   */
  accept(acceptance: { readonly name: string; readonly hash: string; readonly by: string }): void;
}

/**
 * Opens skills for a command line: list, lock, differences and acceptances.
 *
 * @param sources - Where the skills are.
 * @param options - Path of the lock file, and the trust of sources that name none. Default of `origin`: `outside`.
 * @throws ConfigurationError `SKILL_SOURCE`, `SKILL_TWICE`, `SKILL_LOCK_INVALID`, `SKILL_ACCEPTANCES_EXPOSED`
 * @example
 * ```ts
 * import { openSkills } from "@bailiwick/skills";
 *
 * export async function unlocked(): Promise<readonly string[]> {
 *   const shelf = await openSkills(["./skills"], { lock: "skills.lock.json" });
 *   return shelf.rows.filter(({ isLocked }) => !isLocked).map(({ name }) => name);
 * }
 * ```
 */
export async function openSkills(
  sources: readonly SkillSource[],
  options: { readonly lock: string; readonly origin?: SkillOrigin | undefined },
): Promise<SkillShelf> {
  checkArgument(sources, "array", 'openSkills(["./skills"], { lock: "skills.lock.json" })');
  checkArgument(options, "object", 'openSkills(["./skills"], { lock: "skills.lock.json" })');
  checkKnownNames(options, ["lock", "origin"], "openSkills()");
  const { read, folders } = await readSources(sources, options.origin ?? "outside");
  checkStateFolder(stateFolder(), folders);
  const locked = lockedOf(options.lock);
  const known = knownSkills(
    read.flatMap(({ skill }) => skill ?? []),
    locked,
    [],
  );
  const mistakes = read.flatMap((one) => one.mistakes);
  const find = (name: string): KnownSkill => {
    const found = known.find(({ skill }) => skill.name === name);
    if (found !== undefined) return found;
    const own = read.find((one) => one.name === name);
    if (own !== undefined) throw new SkillInvalidError(own.mistakes);
    throw new ConfigurationError(
      "SKILL_SOURCE",
      `There is no skill "${name}" in these sources. Look at the names with npx bailiwick skills list.`,
    );
  };
  return {
    rows: known.map(rowOf),
    mistakes,
    missing: [...locked.keys()].filter((name) => read.every((one) => one.name !== name)),
    async lock() {
      if (mistakes.length > 0) throw new SkillInvalidError(mistakes);
      for (const { skill } of known) await keepCopy(skill);
      writeLockFile(
        options.lock,
        known.map(({ skill }) => skill),
      );
    },
    async diff(name) {
      const parts: string[] = [];
      for (const one of name === undefined ? known : [find(name)]) parts.push(await differencesOf(one));
      return parts.join("");
    },
    async show(name) {
      const { skill } = find(name);
      const text = [...skill.files]
        .map(([path, { bytes, isExecutable }]) =>
          [
            `==> ${path}${isExecutable ? " (program)" : ""}`,
            textOf(bytes) ?? `(${bytes.length} bytes that are not text)`,
          ].join("\n"),
        )
        .join("\n\n");
      return { hash: skill.hash, text, findings: await skillFindings(skill) };
    },
    accept({ name, hash, by }) {
      const { skill } = find(name);
      if (!isHash(hash) || hash !== skill.hash)
        throw new ConfigurationError(
          "INVALID_OPTION",
          `The skill "${name}" has the hash ${skill.hash}, and not ${hash.slice(0, 100)}. Read its text as it is now, and accept that hash.`,
        );
      keepAcceptance({ hash, by, at: Date.now() });
    },
  };
}

function lockedOf(path: string): LockedSkills {
  try {
    return readLockFile(path);
  } catch (error) {
    if (error instanceof ConfigurationError && error.code === "SKILL_LOCK_MISSING") return new Map();
    throw error;
  }
}

function rowOf({ skill, trust, locked, changed }: KnownSkill): SkillRow {
  const { name, place, allowedTools, text, hash } = skill;
  return {
    name,
    source: place.source,
    folder: place.folder,
    state: changed.length > 0 ? "changed" : trust,
    isLocked: locked !== undefined,
    changed,
    allowedTools,
    tokens: Math.ceil(Buffer.byteLength(text) / 4),
    hash,
  };
}

/**
 * Differences from the text that was locked. A lock file has hashes only: the former text is in the kept copies, and
 * without one the present text is shown.
 */
async function differencesOf({ skill, locked }: KnownSkill): Promise<string> {
  const paths = locked === undefined ? [...skill.files.keys()] : changedPaths(skill, locked);
  const former = locked && paths.length > 0 ? await keptCopy(skill.place, skill.name, locked.hash) : undefined;
  const parts = paths.map((path) => {
    const at = `${skill.name}/${path}`;
    const [before, after] = [former?.files.get(path)?.bytes, skill.files.get(path)?.bytes];
    const isUnknown = before === undefined && locked?.files[path] !== undefined;
    const [old, now] = [before, after].map((bytes) => (bytes === undefined ? "" : textOf(bytes)));
    if (old === undefined || now === undefined) return `${at}: the file is not text\n`;
    if (isUnknown) return `${at}: the locked text is not on this machine; the present one:\n${now}\n`;
    return createTwoFilesPatch(before ? at : "/dev/null", after ? at : "/dev/null", old, now);
  });
  return parts.join("");
}
