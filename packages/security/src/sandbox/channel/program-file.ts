import { path, url } from "../node.ts";

/** Programs that run in a sandbox; they are in the package's code folder. */
export type ProgramName = "sandboxed-tool" | "sandboxed-program";

/**
 * The file of a program, and the folder with everything that it imports.
 *
 * @param name - Name of the program.
 */
export function programFile(name: ProgramName): { readonly file: string; readonly folder: string } {
  const inSources = import.meta.url.endsWith(".ts");
  const file = url.fileURLToPath(new URL(inSources ? `../${name}.worker.ts` : `./${name}.worker.js`, import.meta.url));
  return { file, folder: path.dirname(file) };
}
