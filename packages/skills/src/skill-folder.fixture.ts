import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A place for skills, and its own state folder. */
export interface SkillWorld extends Disposable {
  /** Folder of the skills. */
  readonly skills: string;
  /** The state folder's parent. */
  readonly state: string;
  /** Writes a file below the folder of skills. */
  write(path: string, content: string | Uint8Array, mode?: number): void;
  /** Makes a symbolic link below the folder of skills. */
  link(path: string, target: string): void;
}

/** Makes a folder for skills. `XDG_STATE_HOME` leads to its own state folder until it is disposed. */
export function skillWorld(): SkillWorld {
  const root = mkdtempSync(join(tmpdir(), "skills-"));
  const skills = join(root, "project", "skills");
  const state = join(root, "state");
  mkdirSync(skills, { recursive: true });
  const before = process.env["XDG_STATE_HOME"];
  process.env["XDG_STATE_HOME"] = state;
  return {
    skills,
    state,
    write(path, content, mode) {
      const file = join(skills, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      if (mode !== undefined) chmodSync(file, mode);
    },
    link(path, target) {
      mkdirSync(dirname(join(skills, path)), { recursive: true });
      symlinkSync(target, join(skills, path));
    },
    [Symbol.dispose]() {
      if (before === undefined) delete process.env["XDG_STATE_HOME"];
      else process.env["XDG_STATE_HOME"] = before;
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** A `SKILL.md` with these lines in its front matter. */
export const skillFile = (fields: readonly string[], text = "Do it well.\n"): string =>
  ["---", ...fields, "---", text].join("\n");

/** The fields that each skill needs. */
export const named = (name: string, description = `How to do ${name}.`): readonly string[] => [
  `name: ${name}`,
  `description: ${description}`,
];

/** A logger that keeps its warnings. */
export function keptWarnings(): { readonly lines: string[]; warn(message: string): void } {
  const lines: string[] = [];
  return { lines, warn: (message) => void lines.push(message) };
}
