import { createHash } from "node:crypto";
import type { SkillFields } from "./front-matter.ts";

/** A file of a skill, as it was read. */
export interface SkillFile {
  readonly bytes: Uint8Array;
  /** `sha256-` and the hash of the bytes in hexadecimal digits. */
  readonly hash: string;
  readonly isExecutable: boolean;
}

/** The origin of a skill. */
export interface SkillPlace {
  /** `folder:./skills` or `package:@acme/skills@2.1.0`. */
  readonly source: string;
  /** The skill's folder. */
  readonly folder: string;
  /** Trust that the developer gave the source. */
  readonly origin: "own" | "outside";
}

/** A skill: its fields, its text and the bytes of all its files. */
export interface Skill extends SkillFields {
  readonly place: SkillPlace;
  /** The text of `SKILL.md` after the front matter. */
  readonly text: string;
  /** All files by path, `SKILL.md` included, sorted. */
  readonly files: ReadonlyMap<string, SkillFile>;
  /** Hash of all paths, bytes and executable bits. */
  readonly hash: string;
}

/** Hash of bytes, as lock files have it. */
export function hashOf(bytes: Uint8Array | string): string {
  return `sha256-${createHash("sha256").update(bytes).digest("hex")}`;
}

/**
 * Hash of a whole skill: a change of any byte, path or executable bit changes it.
 *
 * @param files - The files by path.
 */
export function skillHash(files: ReadonlyMap<string, Pick<SkillFile, "hash" | "isExecutable">>): string {
  const lines = [...files]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([path, { hash, isExecutable }]) => JSON.stringify([path, hash, isExecutable]));
  return hashOf(lines.join("\n"));
}

/** True for the form of a hash. */
export const isHash = (text: unknown): text is string =>
  typeof text === "string" && /^sha256-[0-9a-f]{64}$/u.test(text);
