/** Limits of skills. Sizes are in bytes. */
export const limits: Readonly<
  Record<"frontMatter" | "skillFile" | "files" | "skill" | "skills" | "name" | "description" | "compatibility", number>
> = Object.freeze({
  frontMatter: 8 * 1024,
  skillFile: 64 * 1024,
  files: 500,
  skill: 10 * 1024 * 1024,
  skills: 1_000,
  name: 64,
  description: 1_024,
  compatibility: 500,
});
