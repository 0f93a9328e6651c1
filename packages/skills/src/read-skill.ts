import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync, type Dirent } from "node:fs";
import { basename, join } from "node:path";
import { createSanitizer } from "@bailiwick/security";
import { readFrontMatter } from "./front-matter.ts";
import { limits } from "./limits.ts";
import type { SkillMistake } from "./skill-errors.ts";
import { hashOf, skillHash, type Skill, type SkillFile, type SkillPlace } from "./skill.ts";

/** A skill's folder that was read. */
export interface ReadSkill {
  /** Name of the folder. */
  readonly name: string;
  readonly place: SkillPlace;
  readonly skill?: Skill | undefined;
  readonly mistakes: readonly SkillMistake[];
  readonly warnings: readonly string[];
}

/** Reads a skill's folder: every file once. Nothing reads the folder again. */
export async function readSkill(place: SkillPlace): Promise<ReadSkill> {
  const name = basename(place.folder);
  const files = new Map<string, SkillFile>();
  const mistakes: SkillMistake[] = [];
  if (lstatSync(place.folder).isSymbolicLink())
    mistakes.push({
      file: place.folder,
      problem: "it is a symbolic link. Name the folder that it leads to as a source",
    });
  else readFolder(place.folder, "", files, mistakes);
  const main = files.get("SKILL.md");
  const path = join(place.folder, "SKILL.md");
  if (main === undefined || mistakes.length > 0) {
    if (main === undefined && mistakes.length === 0) mistakes.push({ file: path, problem: "the file is missing" });
    return { name, place, mistakes, warnings: [] };
  }
  const content = textOf(main.bytes);
  if (content === undefined || main.bytes.length > limits.skillFile) {
    const problem =
      content === undefined ? "the file is not UTF-8" : `it has ${main.bytes.length} bytes; at most 64 KB are read`;
    return { name, place, mistakes: [{ file: path, problem }], warnings: [] };
  }
  const read = readFrontMatter(content, name);
  for (const { line, problem } of read.mistakes) mistakes.push({ file: path, line, problem });
  const { fields } = read;
  if (fields === undefined) return { name, place, mistakes, warnings: [] };
  const flagged = await findingsOf(fields.name.replaceAll("-", " "));
  if (flagged.length > 0) {
    mistakes.push({
      file: path,
      problem: `its name reads as an instruction (${flagged.join(", ")}). Rename the skill`,
    });
    return { name, place, mistakes, warnings: [] };
  }
  const warnings = read.unknown.map((one) => `${path}: the format has no field "${one.slice(0, 80)}"; it is ignored.`);
  const sorted = new Map([...files].toSorted(([left], [right]) => (left < right ? -1 : 1)));
  return {
    name,
    place,
    skill: { ...fields, place, text: read.text, files: sorted, hash: skillHash(sorted) },
    mistakes,
    warnings,
  };
}

const sanitizer = createSanitizer();

/** Patterns of injections that a text has. */
export async function findingsOf(text: string): Promise<readonly string[]> {
  const { findings } = await sanitizer.inbound(text, { policy: "detect-and-flag", toolName: "skill", nonce: "" });
  return findings;
}

/** A text; undefined for bytes that are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function readFolder(root: string, inside: string, files: Map<string, SkillFile>, mistakes: SkillMistake[]): void {
  let entries: readonly Dirent[];
  try {
    entries = readdirSync(join(root, inside), { withFileTypes: true });
  } catch (error) {
    mistakes.push({ file: join(root, inside), problem: `it cannot be read: ${String(error)}` });
    return;
  }
  for (const entry of entries.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
    const path = inside === "" ? entry.name : `${inside}/${entry.name}`;
    const file = join(root, path);
    if (entry.isDirectory()) readFolder(root, path, files, mistakes);
    else if (!entry.isFile())
      mistakes.push({
        file,
        problem: `it is a ${entry.isSymbolicLink() ? "symbolic link" : "special file"}. A skill has files and folders only; copy what it needs`,
      });
    else if (files.size >= limits.files) {
      mistakes.push({ file: root, problem: `it has more than ${limits.files} files` });
      return;
    } else {
      try {
        files.set(path, readFile(file, limits.skill - bytesOf(files)));
      } catch (error) {
        const problem = error instanceof RangeError ? error.message : `it cannot be read: ${String(error)}`;
        mistakes.push({ file, problem });
        return;
      }
    }
    if (mistakes.length >= 50) return;
  }
}

const bytesOf = (files: ReadonlyMap<string, SkillFile>): number =>
  [...files.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);

/** Reads a file; a link that replaced it in the meantime is refused. */
function readFile(path: string, most: number): SkillFile {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new RangeError("it is not a file any more. A skill has files and folders only");
    if (stats.size > most) throw new RangeError(`with it, the skill is larger than 10 MB`);
    const bytes = Buffer.alloc(stats.size);
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(file, bytes, length, bytes.length - length, length);
      if (read === 0) break;
      length += read;
    }
    const content = new Uint8Array(bytes.subarray(0, length));
    return { bytes: content, hash: hashOf(content), isExecutable: (stats.mode & 0o111) !== 0 };
  } finally {
    closeSync(file);
  }
}
