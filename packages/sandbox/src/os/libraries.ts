import { childProcess } from "../node.ts";

/**
 * The shared libraries that programs are linked with, the loader included, as absolute paths.
 *
 * @param programs - Absolute paths of trusted programs: the loader resolves their libraries, which partly starts them.
 */
export async function librariesOf(programs: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const program of programs) {
    for (const [library] of (await linked(program)).matchAll(/(?<=\s)\/\S+/gu)) found.add(library);
  }
  return [...found].toSorted();
}

function linked(program: string): Promise<string> {
  return new Promise((resolve) => {
    childProcess.execFile("ldd", [program], { timeout: 20_000, env: {} }, (_error, stdout) =>
      // `ldd` reports a statically linked program as an error; it needs no libraries.
      resolve(stdout),
    );
  });
}
