// Finding files of the repository.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./project.mjs";

/** Folders that programs make. */
const skipped = new Set(["node_modules", "dist", ".cache", ".turbo", ".git", ".next", ".wrangler"]);

/**
 * Files below folders of the repository, as paths relative to the root, ordered.
 *
 * @param {readonly string[]} folders
 * @param {(path: string) => boolean} wanted
 * @returns {string[]}
 */
export function filesBelow(folders, wanted) {
  const found = [];
  const queue = folders.filter((folder) => existsSync(join(root, folder)));
  for (const folder of queue) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name)) queue.push(path);
      } else if (wanted(path)) found.push(path);
    }
  }
  return found.sort();
}
