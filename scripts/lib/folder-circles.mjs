// The files and folders of a folder import each other in one direction only.
import { posix } from "node:path";
import { importSpecifiers } from "./import-specifiers.mjs";

/** Contracts describe each other: a run's context refers to its output, and the output to the context. */
const free = new Set(["packages/core/src/contracts"]);

/**
 * @param {readonly { path: string, text: string }[]} sources files of one package, tests left out
 * @returns {string[]} one line a circle: the folder, who takes part, and an import of each
 */
export function folderCircles(sources) {
  /** @type {Map<string, Map<string, Map<string, string>>>} by folder, importing folder, imported folder: an import */
  const folders = new Map();
  const paths = new Set(sources.map(({ path }) => path));
  for (const { path, text } of sources) {
    // A folder's list is built from all of its content.
    if (posix.basename(path) === "index.ts") continue;
    for (const specifier of importSpecifiers(text)) {
      const target = posix.join(posix.dirname(path), specifier);
      if (!specifier.startsWith(".") || !paths.has(target)) continue;
      const folder = commonFolder(path, target);
      const entries = folders.get(folder) ?? new Map();
      const from = entryIn(folder, path);
      folders.set(folder, entries);
      entries.set(from, (entries.get(from) ?? new Map()).set(entryIn(folder, target), `${path} imports ${target}`));
    }
  }
  return [...folders]
    .filter(([folder]) => !free.has(folder))
    .flatMap(([folder, entries]) => circlesIn(entries).map((circle) => `${folder}: ${circle}`));
}

/** @type {(a: string, b: string) => string} */
function commonFolder(a, b) {
  const [first, second] = [posix.dirname(a).split("/"), posix.dirname(b).split("/")];
  const length = first.findIndex((part, index) => part !== second[index]);
  return (length < 0 ? first : first.slice(0, length)).join("/");
}

/** @type {(folder: string, path: string) => string} */
function entryIn(folder, path) {
  return path.slice(folder.length + 1).split("/")[0] ?? path;
}

/** @type {(entries: ReadonlyMap<string, ReadonlyMap<string, string>>) => string[]} */
function circlesIn(entries) {
  /** @type {(from: string) => Set<string>} */
  const reached = (from) => {
    const seen = new Set(entries.get(from)?.keys());
    for (const entry of seen) for (const next of entries.get(entry)?.keys() ?? []) seen.add(next);
    return seen;
  };
  const reach = new Map([...entries.keys()].map((entry) => [entry, reached(entry)]));
  const reported = new Set();
  return [...entries.keys()].sort().flatMap((entry) => {
    if (reported.has(entry) || !reach.get(entry)?.has(entry)) return [];
    const members = [...(reach.get(entry) ?? [])].filter((other) => reach.get(other)?.has(entry)).sort();
    for (const member of members) reported.add(member);
    const imports = members.flatMap((from) =>
      [...(entries.get(from) ?? [])].filter(([to]) => members.includes(to)).map(([, text]) => `  ${text}`),
    );
    return [[`${members.join(", ")} import each other`, ...imports].join("\n")];
  });
}
