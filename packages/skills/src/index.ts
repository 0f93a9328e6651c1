/**
 * Folders in the SKILL.md format, with trust by origin, a lock file, and acceptances by hash.
 *
 * @module main
 */
export { skills } from "./skills.ts";
export type { SkillsOptions, SkillWorkspace } from "./skills.ts";
export type { SkillOrigin, SkillSource } from "./sources.ts";
export { SkillInvalidError } from "./skill-errors.ts";
export type { SkillMistake } from "./skill-errors.ts";
export { openSkills } from "./manage.ts";
export type { SkillRow, SkillShelf } from "./manage.ts";
export type { SkillFinding } from "./skill-findings.ts";
