// The files and folders of a folder import each other in one direction only.
import { posix } from "node:path";
import { importSpecifiers } from "./import-specifiers.mjs";

/** Contracts describe each other: a run's context names its output, and an output what the context was. */
const free = new Set(["packages/core/src/contracts"]);

/**
 * @param {readonly { path: string, text: string }[]} sources files of one package, tests left out
 * @returns {string[]} one line a circle: the folder, who takes part, and an import of each
 */
export function roomCircles(sources) {
  /** @type {Map<string, Map<string, Map<string, string>>>} by folder, importing room, imported room: an import */
  const folders = new Map();
  const paths = new Set(sources.map(({ path }) => path));
  for (const { path, text } of sources) {
    // A folder's list is built from all of its content.
    if (posix.basename(path) === "index.ts") continue;
    for (const specifier of importSpecifiers(text)) {
      const target = posix.join(posix.dirname(path), specifier);
      if (!specifier.startsWith(".") || !paths.has(target)) continue;
      const folder = commonFolder(path, target);
      const rooms = folders.get(folder) ?? new Map();
      const from = roomIn(folder, path);
      folders.set(folder, rooms);
      rooms.set(from, (rooms.get(from) ?? new Map()).set(roomIn(folder, target), `${path} imports ${target}`));
    }
  }
  return [...folders]
    .filter(([folder]) => !free.has(folder))
    .flatMap(([folder, rooms]) => circlesIn(rooms).map((circle) => `${folder}: ${circle}`));
}

/** @type {(a: string, b: string) => string} */
function commonFolder(a, b) {
  const [first, second] = [posix.dirname(a).split("/"), posix.dirname(b).split("/")];
  const length = first.findIndex((part, index) => part !== second[index]);
  return (length < 0 ? first : first.slice(0, length)).join("/");
}

/** @type {(folder: string, path: string) => string} */
function roomIn(folder, path) {
  return path.slice(folder.length + 1).split("/")[0] ?? path;
}

/** @type {(rooms: ReadonlyMap<string, ReadonlyMap<string, string>>) => string[]} */
function circlesIn(rooms) {
  /** @type {(from: string) => Set<string>} */
  const reached = (from) => {
    const seen = new Set(rooms.get(from)?.keys());
    for (const room of seen) for (const next of rooms.get(room)?.keys() ?? []) seen.add(next);
    return seen;
  };
  const reach = new Map([...rooms.keys()].map((room) => [room, reached(room)]));
  const told = new Set();
  return [...rooms.keys()].sort().flatMap((room) => {
    if (told.has(room) || !reach.get(room)?.has(room)) return [];
    const members = [...(reach.get(room) ?? [])].filter((other) => reach.get(other)?.has(room)).sort();
    for (const member of members) told.add(member);
    const imports = members.flatMap((from) =>
      [...(rooms.get(from) ?? [])].filter(([to]) => members.includes(to)).map(([, text]) => `  ${text}`),
    );
    return [[`${members.join(", ")} import each other`, ...imports].join("\n")];
  });
}
