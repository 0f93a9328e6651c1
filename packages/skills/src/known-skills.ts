import { readAcceptances } from "./acceptances.ts";
import { changedPaths, type LockedSkill, type LockedSkills } from "./lock-file.ts";
import type { Skill } from "./skill.ts";

/** Trust of a skill's text: your own, accepted by its hash, or text of others. */
type SkillTrust = "own" | "accepted" | "outside";

/** A skill with its trust and its difference from the lock file. */
export interface KnownSkill {
  readonly skill: Skill;
  readonly trust: SkillTrust;
  /** The skill in the lock file. */
  readonly locked?: LockedSkill | undefined;
  /** Paths that differ from the lock file. */
  readonly changed: readonly string[];
}

/**
 * Decides the trust of skills. Only the developer's origin and hashes that a person accepted decide it, never the skill,
 * or a file beside it.
 *
 * @param skills - The skills.
 * @param locked - The skills of the lock file.
 * @param accepted - Hashes that count as yours, besides those of the user's state folder.
 */
export function knownSkills(
  skills: readonly Skill[],
  locked: LockedSkills,
  accepted: readonly string[],
): readonly KnownSkill[] {
  const hashes = new Set([...accepted, ...readAcceptances().map(({ hash }) => hash)]);
  return skills.map((skill) => {
    const pinned = locked.get(skill.name);
    return {
      skill,
      trust: skill.place.origin === "own" ? "own" : hashes.has(skill.hash) ? "accepted" : "outside",
      locked: pinned,
      changed: pinned === undefined ? [] : changedPaths(skill, pinned),
    };
  });
}
