import type { JsonSchema } from "@bailiwick/core";

import { followReference, isSchema } from "./egress-arguments.ts";
import type { Step } from "./paths.ts";

const withScheme = /^[a-z][a-z0-9+.-]*:\/\/\S+$/iu;
const withoutScheme = /^(?:\/\/|www\.)[^\s/]+\.\S+$/iu;
const activeScheme = /^(?:data|javascript|vbscript|blob|file):\S/iu;
const hostWithPath = /^((?:[\p{L}\p{N}-]+\.)+\p{L}{2,24}(?::\d+)?)[/?#]\S*$/iu;
const address = /^(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?(?:[/?#]\S*)?$/u;

/** [flow.r5] True if a value is a URL: by its scheme, `//host`, `www.`, a host with a path, or an address. */
export function isUrl(value: unknown): boolean {
  if (typeof value !== "string") return false;
  // Fast path: each of the patterns below needs one of these characters.
  if (!/[.:]/u.test(value)) return false;
  const text = value.trim();
  if ([withScheme, withoutScheme, activeScheme, address].some((pattern) => pattern.test(text))) return true;
  const [, host] = hostWithPath.exec(text) ?? [];
  return host !== undefined && !isFileName(host);
}

/**
 * [flow.r5] True if a fetch would accept a value as a URL although it does not look like one: with blanks in it,
 * without slashes after the scheme, with other dots or slashes, or as a network share of a host.
 */
export function isFetchable(value: unknown): boolean {
  if (typeof value !== "string") return false;
  const text = value
    .replaceAll(/[\t\n\r]/gu, "")
    .replaceAll(/[。．｡]/gu, ".")
    .trim();
  if (isUrl(text) || /^(?:(?:https?|wss?|ftp):\S|[\\/]{2}[^\s\\/])/iu.test(text)) return true;
  const [, withPath] = /^(\S+?[/?#])/u.exec(text) ?? [];
  return /^[a-z][a-z0-9+.-]*:\/\/\S/iu.test(text) || isUrl(withPath);
}

/** Endings of files that are not top-level domains: a word with one of these that could be a host's counts as a file's. */
const fileEndings: ReadonlySet<string> = new Set(
  (
    "txt pdf doc docx xls xlsx ppt pptx odt ods csv tsv json jsonl xml yaml yml toml ini cfg conf log markdown rst html htm css scss " +
    "js jsx ts tsx mjs cjs rb java kt go c h cpp hpp cs php sql bat ps1 ipynb png jpg jpeg gif webp svg bmp tiff ico mp3 mp4 wav " +
    "ogg avi mkv tar gz bz2 xz rar 7z exe dll bin iso eml ics vcf bak tmp"
  ).split(" "),
);

/** True if a dotted word is a file's name rather than a host's. */
export function isFileName(word: string): boolean {
  return fileEndings.has(word.slice(word.lastIndexOf(".") + 1).toLowerCase());
}

/** Endings of files that are top-level domains too. */
const sharedEndings: ReadonlySet<string> = new Set("md sh py pl rs ps cc so".split(" "));

/**
 * True if a word alone, such as `setup.sh`, is a file's name in most texts. Without a path and further labels it carries
 * no data, even where a viewer makes a link of it.
 */
export function isBareFileName(word: string): boolean {
  const [, ending = "", ...more] = word.toLowerCase().split(".");
  return more.length === 0 && sharedEndings.has(ending);
}

/**
 * True if a schema names a member of the objects at a place: such a name comes from the schema's author and carries
 * nothing else.
 */
export function namesMember(schema: JsonSchema, place: readonly Step[], key: string): boolean {
  let positions = alternativesOf([schema], schema);
  for (const step of place) {
    const next = positions.map((position) => (typeof step === "string" ? memberOf(position, step) : position["items"]));
    positions = alternativesOf(next, schema);
  }
  return positions.some((position) => memberOf(position, key) !== undefined);
}

function memberOf({ properties }: JsonSchema, key: string): unknown {
  return isSchema(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
}

/** Some positions with all positions that they refer to or choose from, each once. */
function alternativesOf(positions: readonly unknown[], root: JsonSchema): readonly JsonSchema[] {
  const found = new Set<JsonSchema>();
  const visit = (position: unknown): void => {
    if (!isSchema(position) || found.has(position)) return;
    found.add(position);
    const { $ref: reference } = position as { readonly $ref?: unknown };
    if (typeof reference === "string") visit(followReference(reference, root));
    for (const keyword of ["anyOf", "oneOf", "allOf"]) {
      const parts = position[keyword];
      if (Array.isArray(parts)) parts.forEach(visit);
    }
  };
  positions.forEach(visit);
  return [...found];
}
