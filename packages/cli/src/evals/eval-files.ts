import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { CommandError } from "../command-error.ts";
import { loadModule } from "../entry/load-entry.ts";
import { exitCodes } from "../exit-codes.ts";

const ending = /\.eval\.[cm]?[jt]s$/u;
/** Folders that have no evaluations of the project. */
const left = new Set(["node_modules", "dist", "build", "coverage"]);

/**
 * The files of evaluations: the given ones, else each `*.eval.ts` below the working directory.
 *
 * @throws CommandError `CLI_CONFIG` without a file.
 */
export async function evalFiles(given: readonly string[]): Promise<readonly string[]> {
  const missing = given.map((name) => resolve(name)).find((path) => !existsSync(path));
  if (missing !== undefined) throw configError(`There is no file "${missing}".`);
  const files = given.length > 0 ? given.map((name) => resolve(name)) : await filesBelow(resolve("."));
  if (files.length === 0)
    throw configError(
      "There is no *.eval.ts here. Write one whose default export is evaluation({ … }) of @bailiwick/evals.",
    );
  return files;
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !left.has(entry.name) && !entry.name.startsWith("."))
      found.push(...(await filesBelow(path)));
    else if (entry.isFile() && ending.test(entry.name)) found.push(path);
  }
  return found.toSorted();
}

/**
 * The evaluations that a file exports by default: one, or a list.
 *
 * @throws CommandError `CLI_CONFIG`
 */
export async function evaluationsIn(path: string): Promise<readonly { readonly name: string }[]> {
  const module = await loadModule(path);
  const first = module["default"] as Readonly<Record<string, unknown>> | undefined;
  const main: unknown = first?.["__esModule"] === true ? first["default"] : first;
  const all: readonly unknown[] = Array.isArray(main) ? main : [main];
  const isEvaluation = (value: unknown): value is { readonly name: string } =>
    typeof value === "object" && value !== null && "kind" in value && value.kind === "bailiwick-evaluation";
  if (all.length > 0 && all.every(isEvaluation)) return all;
  throw configError(`The default export of "${path}" is not an evaluation. Write: export default evaluation({ … }).`);
}

function configError(message: string): CommandError {
  return new CommandError("CLI_CONFIG", message, exitCodes.failed.code);
}
