import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Store, Template } from "./templates.ts";
import versions from "./versions.json" with { type: "json" };

const folder = fileURLToPath(new URL("../templates/", import.meta.url));

/** A project to create. */
export interface ProjectOptions {
  /** Folder of the project; created if it does not exist. */
  readonly path: string;
  readonly template: Template;
  readonly store: Store | undefined;
  /** Version of the packages of Bailiwick. */
  readonly version: string;
}

/** The project cannot be created. */
export class CreateError extends Error {}

/**
 * Writes the files of a template, with the name of the project and exact versions of its dependencies.
 *
 * @throws CreateError for a folder that holds other files.
 */
export async function createProject({ path, template, store, version }: ProjectOptions): Promise<void> {
  const target = resolve(path);
  await mkdir(target, { recursive: true });
  const taken = (await readdir(target)).filter((name) => name !== ".git");
  if (taken.length > 0)
    throw new CreateError(
      `The folder "${target}" holds files (${taken.slice(0, 3).join(", ")}). Give an empty folder.`,
    );
  await cp(join(folder, template.name), target, { recursive: true });
  // npm leaves a .gitignore out of packages.
  await rename(join(target, "_gitignore"), join(target, ".gitignore"));
  if (store !== undefined && template.stores.length > 1) await chooseStore(target, store, template.stores);
  await fillManifest(target, version);
}

/** Keeps `src/store.STORE.ts` of the chosen store as `src/store.ts`, and its package alone in the manifest. */
async function chooseStore(target: string, store: Store, stores: readonly Store[]): Promise<void> {
  for (const other of stores) {
    const file = join(target, "src", `store.${other}.ts`);
    if (other === store) await rename(file, join(target, "src", "store.ts"));
    else await rm(file);
  }
  await editManifest(target, (manifest) => {
    for (const other of stores) if (other !== store) delete manifest.dependencies[`@bailiwick/store-${other}`];
  });
}

interface Manifest {
  name: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

async function fillManifest(target: string, version: string): Promise<void> {
  const pins: Readonly<Record<string, string>> = versions;
  await editManifest(target, (manifest) => {
    manifest.name = packageName(basename(target));
    for (const list of [manifest.dependencies, manifest.devDependencies])
      for (const name of Object.keys(list)) {
        const isOwn = name.startsWith("@bailiwick/") || name === "bailiwick";
        const pin = isOwn ? version : pins[name];
        if (pin === undefined) throw new Error(`There is no version of "${name}" for the template.`);
        list[name] = pin;
      }
  });
}

async function editManifest(target: string, edit: (manifest: Manifest) => void): Promise<void> {
  const file = join(target, "package.json");
  const manifest = JSON.parse(await readFile(file, "utf8")) as Manifest;
  edit(manifest);
  await writeFile(file, `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** Turns the name of a folder into the name of a package. */
function packageName(name: string): string {
  const safe = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replace(/^[._-]+/, "")
    .replace(/-+$/, "");
  return safe === "" ? "bailiwick-project" : safe;
}
