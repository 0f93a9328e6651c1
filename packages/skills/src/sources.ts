import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { ConfigurationError, checkKnownNames } from "@bailiwick/core/extension";
import { limits } from "./limits.ts";
import { readSkill, type ReadSkill } from "./read-skill.ts";
import type { SkillPlace } from "./skill.ts";

/**
 * A place with skills: a folder that has them, the folder of one skill, or the folder `skills` of an installed package.
 * `origin: "own"` is for folders that only you write; without it, a source has the origin of the options.
 */
export type SkillSource =
  | string
  | { readonly folder: string; readonly origin?: SkillOrigin | undefined }
  | { readonly package: string; readonly origin?: SkillOrigin | undefined };

/** Trust of a source: your own text, or text of others. */
export type SkillOrigin = "own" | "outside";

/** A source that was found. */
interface FoundSource {
  /** `folder:./skills` or `package:@acme/skills@2.1.0`. */
  readonly source: string;
  /** The folder of the source. */
  readonly folder: string;
  readonly origin: SkillOrigin;
}

/**
 * Reads all skills of sources.
 *
 * @param sources - The sources.
 * @param usual - Origin of a source that names none.
 */
export async function readSources(
  sources: readonly SkillSource[],
  usual: SkillOrigin,
): Promise<{ readonly read: readonly ReadSkill[]; readonly folders: readonly string[] }> {
  const found = sources.map((source) => findSource(source, usual));
  const places = found.flatMap(skillsOf);
  if (places.length > limits.skills)
    throw sourceError(`There are ${places.length} skills; at most ${limits.skills} are read. Leave sources out.`);
  const read: ReadSkill[] = [];
  for (const place of places) read.push(await readSkill(place));
  const byName = new Map<string, ReadSkill>();
  for (const one of read) {
    const other = byName.get(one.name);
    if (other !== undefined)
      throw new ConfigurationError(
        "SKILL_TWICE",
        `Two skills have the name "${one.name}": ${other.place.folder} and ${one.place.folder}. Rename one, or leave its source out: neither replaces the other.`,
      );
    byName.set(one.name, one);
  }
  return {
    read: read.toSorted((left, right) => (left.name < right.name ? -1 : 1)),
    folders: found.map(({ folder }) => folder),
  };
}

function findSource(source: SkillSource, usual: SkillOrigin): FoundSource {
  if (typeof source === "string") return findFolder(source, usual);
  if (typeof source !== "object" || source === null)
    throw sourceError(`A source is ${String(source)}. Pass a path, { folder } or { package }.`);
  if ("package" in source) {
    checkKnownNames(source, ["package", "origin"], "skills(): a source with `package`");
    return findPackage(source.package, checkOrigin(source.origin) ?? usual);
  }
  checkKnownNames(source, ["folder", "origin"], "skills(): a source with `folder`");
  return findFolder(source.folder, checkOrigin(source.origin) ?? usual);
}

/** Checks an origin. */
export function checkOrigin(origin: unknown): SkillOrigin | undefined {
  if (origin === undefined || origin === "own" || origin === "outside") return origin;
  throw new ConfigurationError(
    "INVALID_OPTION",
    `skills(): origin is ${JSON.stringify(origin)}. Use "own" for folders that only you write, else "outside".`,
  );
}

function findFolder(path: unknown, origin: SkillOrigin): FoundSource {
  if (typeof path !== "string" || path === "")
    throw sourceError(`A folder of skills is ${JSON.stringify(path)}. Pass a path.`);
  const absolute = resolve(path);
  const stats = statSync(absolute, { throwIfNoEntry: false });
  if (stats === undefined) throw sourceError(`${absolute} does not exist. Create the folder, or name another one.`);
  if (!stats.isDirectory()) throw sourceError(`${absolute} is not a folder. Name the folder that has the skills.`);
  const from = relative(process.cwd(), absolute).split(sep).join("/");
  const shown = from.startsWith("../") || from === ".." ? from : from === "" ? "." : `./${from}`;
  return { source: `folder:${shown}`, folder: realpathSync(absolute), origin };
}

function findPackage(name: unknown, origin: SkillOrigin): FoundSource {
  if (typeof name !== "string" || !/^(?:@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*$/u.test(name))
    throw sourceError(`A package of skills is ${JSON.stringify(name)}. Pass the name of an installed package.`);
  for (let at = process.cwd(); ; at = dirname(at)) {
    const place = join(at, "node_modules", name);
    if (existsSync(join(place, "package.json"))) {
      const folder = join(realpathSync(place), "skills");
      const stats = lstatSync(folder, { throwIfNoEntry: false });
      if (stats?.isDirectory() !== true)
        throw sourceError(
          `The package ${name} has no folder "skills". Name a folder of it: { folder: "node_modules/${name}/…" }.`,
        );
      const manifest = JSON.parse(readFileSync(join(place, "package.json"), "utf8")) as { readonly version?: string };
      return { source: `package:${name}@${manifest.version ?? "0.0.0"}`, folder, origin };
    }
    if (dirname(at) === at) throw sourceError(`The package ${name} is not installed. Run npm install ${name}.`);
  }
}

function skillsOf({ source, folder, origin }: FoundSource): readonly SkillPlace[] {
  if (existsSync(join(folder, "SKILL.md"))) return [{ source, folder, origin }];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith(".") && entry.name !== "node_modules")
    .filter(({ name }) => existsSync(join(folder, name, "SKILL.md")))
    .map((entry) => ({ source, folder: join(folder, entry.name), origin }));
}

function sourceError(message: string): ConfigurationError {
  return new ConfigurationError("SKILL_SOURCE", message);
}
