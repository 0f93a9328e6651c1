import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("../../../scripts/bundle-programs.mjs", import.meta.url));
const made = new Map<string, readonly string[]>();

/**
 * Bundles programs that a test starts as processes; they share their modules. A bundle starts in half the time that its
 * sources take.
 *
 * @param programs - Paths of their sources.
 * @returns the paths of their bundles, in the same order.
 */
export function bundled(...programs: readonly string[]): readonly string[] {
  const key = programs.join("\n");
  let files = made.get(key);
  if (files === undefined) {
    const printed = execFileSync(process.execPath, [script, ...programs], { encoding: "utf8" });
    made.set(key, (files = printed.trim().split("\n")));
  }
  return files;
}
