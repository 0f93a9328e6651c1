import { existsSync } from "node:fs";
import { dirname, relative, resolve, isAbsolute } from "node:path";
import type { McpStdioOptions } from "../options.ts";

/** Words of a program that did not find a file or a module. */
const missing = /MODULE_NOT_FOUND|Cannot find (?:module|package)|No such file|can't open file|ENOENT/u;

/**
 * Explains that a program could not read its own files in its sandbox; empty if this is not the reason.
 *
 * @param lastWords - The end of its error stream.
 */
export function unreadableHint(options: McpStdioOptions, lastWords: string): string {
  const { args = [], cwd, sandbox } = options;
  if (sandbox === "none" || sandbox?.allowFS === true || !missing.test(lastWords)) return "";
  const { readOnly = [], readWrite = [] } = typeof sandbox?.allowFS === "object" ? sandbox.allowFS : {};
  const granted = [...readOnly, ...readWrite].map((path) => resolve(path));
  const named = [...args, ...[...lastWords.matchAll(/['"](\/[^'"]+)['"]/gu)].map(([, path = ""]) => path)];
  const paths = [...new Set(named.filter((name) => !name.startsWith("-")).map((name) => resolve(cwd ?? ".", name)))];
  const found = paths.filter((path) => existsSync(path) && !granted.some((folder) => isInside(folder, path)));
  const folders = [...new Set(found.map((path) => dirname(path)))];
  const absent = args.filter((path) => isAbsolute(path) && !existsSync(path));
  if (found.length === 0 && absent.length > 0) return ` ${quoted(absent)} is not on this machine. Check the path.`;
  const what =
    found.length === 0
      ? "A program reads only what its sandbox grants. Add the folders of its modules"
      : `Its sandbox may not read ${quoted(found)}. Grant the program's folder, with its node_modules`;
  const readable = JSON.stringify([...readOnly, ...(folders.length === 0 ? ["/path/of/its/modules"] : folders)]);
  return ` ${what}: sandbox: { tier: "os", allowFS: { readOnly: ${readable} } }.${isAbsolute(args[0] ?? "/") ? "" : " Name the program by its absolute path."}`;
}

function quoted(paths: readonly string[]): string {
  return paths.map((path) => JSON.stringify(path)).join(", ");
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!way.startsWith("..") && !isAbsolute(way));
}
