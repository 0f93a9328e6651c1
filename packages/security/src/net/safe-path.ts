import type * as FileSystem from "node:fs/promises";
import type * as Path from "node:path";
import { BailiwickError, checkArgument } from "@bailiwick/core";

import { nodeModule } from "./node-module.ts";

/** A path leads out of its folder. */
export class PathEscapeError extends BailiwickError {
  constructor(root: string, path: string) {
    super(
      "PATH_ESCAPE",
      `The path "${path}" leads out of "${root}". Use a path below that folder, without links that leave it.`,
    );
  }
}

/**
 * Resolves a path below a folder, symbolic links included; the file itself need not exist yet.
 *
 * @param root - Folder that must not be left.
 * @param path - Path relative to it, from a source that is not trusted.
 * @returns The absolute path, with links resolved.
 * @throws PathEscapeError `PATH_ESCAPE` when the path is absolute, climbs out, holds a NUL, or passes a link that leaves the folder.
 *
 * @example
 * ```ts
 * import { safePath } from "@bailiwick/security";
 *
 * console.log(await safePath(".", "notes/today.md"));
 * ```
 */
export async function safePath(root: string, path: string): Promise<string> {
  checkArgument(root, "string", "safePath(folder, path)");
  checkArgument(path, "string", "safePath(folder, path)");
  const { lstat, realpath } = nodeModule<typeof FileSystem>("node:fs/promises", "safePath");
  const { basename, dirname, isAbsolute, join, relative, resolve, sep } = nodeModule<typeof Path>(
    "node:path",
    "safePath",
  );
  if (path.includes("\0") || isAbsolute(path)) throw new PathEscapeError(root, path);
  const base = await realpath(root);
  const wanted = resolve(base, path);
  const inside = (candidate: string): boolean => {
    const step = relative(base, candidate);
    return step === "" || (step !== ".." && !step.startsWith(`..${sep}`) && !isAbsolute(step));
  };
  if (!inside(wanted)) throw new PathEscapeError(root, path);
  let existing = wanted;
  let rest = "";
  for (;;) {
    try {
      const real = join(await realpath(existing), rest);
      if (!inside(real)) throw new PathEscapeError(root, path);
      return real;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      // A dangling link would be followed by the next write.
      const dangling = await lstat(existing).then(
        () => true,
        () => false,
      );
      if (dangling) throw new PathEscapeError(root, path);
      rest = rest === "" ? basename(existing) : join(basename(existing), rest);
      existing = dirname(existing);
    }
  }
}
