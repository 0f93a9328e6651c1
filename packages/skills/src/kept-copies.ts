import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
  mkdirSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Skill, SkillPlace } from "./skill.ts";
import { readSkill } from "./read-skill.ts";
import { makePrivate, stateFolder } from "./state-folder.ts";

/** Time after which a copy that nothing used is deleted, in milliseconds: 30 days. */
const keptMs = 30 * 24 * 3_600_000;

/**
 * Writes the bytes that were read into a folder named after their hash, for a mount. A copy that exists is used only if
 * its bytes are still these.
 *
 * @returns the folder.
 */
export async function keepCopy(skill: Skill): Promise<string> {
  const copies = join(stateFolder(), "copies");
  makePrivate(copies);
  const folder = join(copies, skill.hash, skill.name);
  if ((await keptCopy(skill.place, skill.name, skill.hash)) !== undefined) {
    utimesSync(dirname(folder), new Date(), new Date());
    return folder;
  }
  rmSync(dirname(folder), { recursive: true, force: true });
  const draft = mkdtempSync(join(copies, "draft-"));
  for (const [path, { bytes, isExecutable }] of skill.files) {
    const file = join(draft, skill.name, path);
    mkdirSync(dirname(file), { recursive: true });
    // A sandbox reads it as another user.
    writeFileSync(file, bytes, { mode: isExecutable ? 0o755 : 0o644 });
  }
  try {
    renameSync(draft, dirname(folder));
  } catch (error) {
    // Another process has written the same copy.
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** The kept copy of a skill with this hash; undefined if there is none, or its bytes are others. */
export async function keptCopy(place: SkillPlace, name: string, hash: string): Promise<Skill | undefined> {
  const folder = join(stateFolder(), "copies", hash, name);
  if (!existsSync(folder)) return undefined;
  const { skill } = await readSkill({ ...place, folder });
  return skill?.hash === hash ? skill : undefined;
}

/** Deletes the copies that nothing has used for 30 days. */
export function deleteOldCopies(now: number): void {
  const copies = join(stateFolder(), "copies");
  if (!existsSync(copies)) return;
  for (const name of readdirSync(copies)) {
    const folder = join(copies, name);
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (stats !== undefined && now - stats.mtimeMs > keptMs) rmSync(folder, { recursive: true, force: true });
  }
}
