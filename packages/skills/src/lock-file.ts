import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { ConfigurationError } from "@bailiwick/core/extension";
import { isHash, type Skill } from "./skill.ts";

/** A skill as the lock file names it. */
export interface LockedSkill {
  /** `folder:./skills` or `package:@acme/skills@2.1.0`. */
  readonly source: string;
  /** Hash of each file, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Hash of the whole skill. */
  readonly hash: string;
}

/** The skills of a lock file, by name. */
export type LockedSkills = ReadonlyMap<string, LockedSkill>;

/**
 * Reads a lock file.
 *
 * @param path - The file.
 * @throws ConfigurationError `SKILL_LOCK_MISSING`, `SKILL_LOCK_INVALID`
 */
export function readLockFile(path: string): LockedSkills {
  const file = resolve(path);
  if (!existsSync(file))
    throw new ConfigurationError(
      "SKILL_LOCK_MISSING",
      `There is no lock file ${file}. Run npx bailiwick skills lock, and commit the file.`,
    );
  const invalid = (why: string): ConfigurationError =>
    new ConfigurationError("SKILL_LOCK_INVALID", `The lock file ${file} cannot be used: ${why}.`);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw invalid(
      `it is not JSON (${error instanceof Error ? error.message : "no text"}). Write it again with npx bailiwick skills lock`,
    );
  }
  if (!isRecord(value) || !isRecord(value["skills"]))
    throw invalid('it has no "skills". Write it again with npx bailiwick skills lock');
  if (value["version"] !== 1)
    throw invalid(
      `its version is ${JSON.stringify(value["version"])}, and this release reads version 1. Update @bailiwick/skills`,
    );
  const skills = new Map<string, LockedSkill>();
  for (const [name, one] of [["the file", value] as const, ...Object.entries(value["skills"])])
    if (isRecord(one) && "accepted" in one)
      throw invalid(
        `${name === "the file" ? name : `"${name}"`} has "accepted". A lock file pins text and accepts none: remove the field, and run npx bailiwick skills accept`,
      );
  for (const [name, one] of Object.entries(value["skills"])) {
    const files = isRecord(one) ? one["files"] : undefined;
    if (!isRecord(one) || typeof one["source"] !== "string" || !isHash(one["hash"]) || !isRecord(files))
      throw invalid(`"${name}" needs "source", "files" and "hash". Write it again with npx bailiwick skills lock`);
    if (!Object.values(files).every(isHash))
      throw invalid(`"${name}" has a file without a hash. Write it again with npx bailiwick skills lock`);
    skills.set(name, { source: one["source"], files: files as Record<string, string>, hash: one["hash"] });
  }
  return skills;
}

/**
 * Writes a lock file that pins skills.
 *
 * @param path - The file. It is replaced as a whole.
 * @param skills - The skills.
 */
export function writeLockFile(path: string, skills: readonly Skill[]): void {
  const text = {
    version: 1,
    skills: Object.fromEntries(
      skills.map(({ name, place, files, hash }) => [
        name,
        { source: place.source, files: Object.fromEntries([...files].map(([file, one]) => [file, one.hash])), hash },
      ]),
    ),
  };
  const file = resolve(path);
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, `${JSON.stringify(text, undefined, 2)}\n`);
  renameSync(draft, file);
}

/** The paths that differ from the lock file. Without another difference, an executable bit has changed. */
export function changedPaths(skill: Skill, locked: LockedSkill): readonly string[] {
  if (skill.hash === locked.hash) return [];
  const paths = new Set([...skill.files.keys(), ...Object.keys(locked.files)]);
  const changed = [...paths].filter((path) => skill.files.get(path)?.hash !== locked.files[path]).toSorted();
  return changed.length > 0 ? changed : ["(an executable bit)"];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
