// The names that the entry points of a package export, read from its sources.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseSync } from "oxc-parser";
import { root, workspaceFolders } from "./project.mjs";

/**
 * Lists the public names of every published package, by entry point.
 *
 * @returns {Record<string, string[]>} such as `{ "@bailiwick/core/store": ["checkBatch", …] }`, sorted
 */
export function publicNames() {
  /** @type {Map<string, string>} */
  const sources = new Map();
  for (const folder of workspaceFolders()) {
    const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    if (manifest.private === true) continue;
    for (const [entry, target] of Object.entries(manifest.exports ?? {})) {
      const source = /** @type {Record<string, string>} */ (target)["@bailiwick/source"];
      if (source !== undefined) sources.set(manifest.name + entry.slice(1), join(root, folder, source));
    }
  }
  return Object.fromEntries(
    [...sources.keys()]
      .toSorted()
      .map((entry) => [entry, [...exportsOf(sources.get(entry) ?? "", sources)].toSorted()]),
  );
}

/**
 * @param {string} file
 * @param {ReadonlyMap<string, string>} sources - The source file of each entry point.
 * @returns {Set<string>} the names that the file exports, those of `export *` included
 */
export function exportsOf(file, sources = new Map()) {
  /** @type {Set<string>} */
  const names = new Set();
  for (const node of parseSync(file, readFileSync(file, "utf8")).program.body) {
    if (node.type === "ExportAllDeclaration") {
      const from = sources.get(node.source.value) ?? resolve(dirname(file), node.source.value);
      if (existsSync(from)) for (const name of exportsOf(from, sources)) names.add(name);
    } else if (node.type === "ExportNamedDeclaration") {
      for (const name of declaredNames(node.declaration)) names.add(name);
      for (const { exported } of node.specifiers)
        names.add(exported.type === "Identifier" ? exported.name : exported.value);
    }
  }
  return names;
}

/**
 * @param {import("oxc-parser").Declaration | null} declaration
 * @returns {string[]}
 */
function declaredNames(declaration) {
  if (declaration === null) return [];
  if (declaration.type === "VariableDeclaration")
    return declaration.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []));
  return "id" in declaration && declaration.id?.type === "Identifier" ? [declaration.id.name] : [];
}
