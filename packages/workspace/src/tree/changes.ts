import { createTwoFilesPatch } from "diff";
import type { ObjectStore, Tree, TreeEntry } from "./object-store.ts";

/** A path that two trees have differently. */
export interface Change {
  readonly path: string;
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

/** The differences of two trees, by path. */
export function changesOf(before: Tree, after: Tree): readonly Change[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths]
    .map((path) => ({ path, before: before.get(path), after: after.get(path) }))
    .filter((change) => !isSame(change.before, change.after))
    .toSorted((left, right) => (left.path < right.path ? -1 : 1));
}

/** True if two entries are the same file, or both absent. */
export function isSame(left: TreeEntry | undefined, right: TreeEntry | undefined): boolean {
  return left?.id === right?.id && left?.mode === right?.mode;
}

/** Larger files are shown by their size and hash. */
export const largestShown: number = 1024 * 1024;
/** Longest search for the shortest difference, in milliseconds; then the whole file is shown as replaced. */
const longestSearchMs = 2_000;

/** The text of a file; `undefined` if it is binary. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The differences of two trees in the form of `git diff`. */
export function diffText(changes: readonly Change[], store: Pick<ObjectStore, "get">): string {
  return changes.map((change) => fileDiff(change, store)).join("");
}

function fileDiff({ path, before, after }: Change, store: Pick<ObjectStore, "get">): string {
  const [left, right] = [shownPath(`a/${path}`), shownPath(`b/${path}`)];
  const head = [`diff --git ${left} ${right}`];
  const [old, now] = [modeNumber(before), modeNumber(after)];
  if (before === undefined) head.push(`new file mode ${now}`);
  else if (after === undefined) head.push(`deleted file mode ${old}`);
  else if (old !== now) head.push(`old mode ${old}`, `new mode ${now}`);
  const start = `${head.join("\n")}\n`;
  if (before?.id === after?.id) return start;
  const [oldText, newText] = [shownText(before, store), shownText(after, store)];
  if (oldText === undefined || newText === undefined)
    return `${start}Binary or large file: ${described(before)} -> ${described(after)}\n`;
  const names = [before === undefined ? "/dev/null" : left, after === undefined ? "/dev/null" : right] as const;
  const patch = patchOf(names, oldText, newText);
  return start + patch;
}

function patchOf([left, right]: readonly [string, string], before: string, after: string): string {
  const options = { context: 3, timeout: longestSearchMs } as const;
  const patch: unknown = createTwoFilesPatch(left, right, before, after, undefined, undefined, options);
  const whole = typeof patch === "string" ? patch : replaced(left, right, before, after);
  // The library begins with a line of "=" signs.
  return whole.replace(/^=+\n/u, "");
}

/** The whole file as removed and added, where the shortest difference takes too long to find. */
function replaced(left: string, right: string, before: string, after: string): string {
  const lines = (text: string, sign: string): readonly string[] => text.split("\n").map((line) => sign + line);
  const [old, now] = [lines(before, "-"), lines(after, "+")];
  return [`--- ${left}`, `+++ ${right}`, `@@ -1,${old.length} +1,${now.length} @@`, ...old, ...now, ""].join("\n");
}

function shownText(entry: TreeEntry | undefined, store: Pick<ObjectStore, "get">): string | undefined {
  if (entry === undefined) return "";
  return entry.size > largestShown ? undefined : textOf(store.get(entry.id));
}

function described(entry: TreeEntry | undefined): string {
  return entry === undefined ? "nothing" : `${entry.size.toLocaleString("en")} bytes, SHA-256 ${entry.id}`;
}

function modeNumber(entry: TreeEntry | undefined): string {
  return { file: "100644", executable: "100755", link: "120000" }[entry?.mode ?? "file"];
}

/** A path as Git shows it: quoted if it has characters that could be read as another line. */
export function shownPath(path: string): string {
  // eslint-disable-next-line no-control-regex
  return /[\u0000-\u001f\u007f-\u009f"\\\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u.test(path)
    ? JSON.stringify(path).replaceAll(/[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu, escaped)
    : path;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
