import type { Grant } from "@bailiwick/core";

import type { CallView } from "./call-view.ts";
import { isBareFileName, isFileName } from "./egress.ts";
import { isTrusted } from "./trusted.ts";
import { inertLink } from "./inert-link.ts";
import { isWithin, normalPath, segment } from "./paths.ts";
import { isUsersWord } from "./r5-egress.ts";

const notWord = String.raw`(?<![\p{L}\p{N}])`;
const schemes =
  "https?|ftp|wss?|file|blob|about|view-source|data|javascript|vbscript|mailto|tel|sms|callto|facetime|sips?|magnet|intent|ms-[a-z-]{1,30}";
/** Before slashes, a scheme may begin anywhere: some viewers find one within a word. */
const link = String.raw`(?:${notWord}(?:${schemes}):|[a-z][a-z0-9+]{0,30}:\/\/)[^\s<>"'${"`"}]+`;
/**
 * A host after slashes without a scheme: viewers treat it like a URL. A browser also reads a number, an IPv6 address,
 * and encoded or unusual characters as a host. Dots in brackets are inert already.
 */
const relative = String.raw`(?<!:)[/\\]{2}(?:\[[\da-f:.]+\]|(?:0x[\da-f]+|\d{3,})(?![\p{L}\p{N}.-])|(?=(?:\[\.\]|(?!\[\.\])[\x21-\x24\x26-\x2D\x30-\x3B\x3D\x3F-\x5B\x5D-\x7E])*[^\s/\\<>\x21-\x24\x26-\x2D\x30-\x7E]))[^\s<>"'${"`"})\]]*`;
/** A host cannot end in a name that is the scheme of a link. */
const notScheme = String.raw`(?!\p{L}*:[/\\])`;
const mail = String.raw`(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,24}${notScheme}`;
const path = String.raw`(?::\d+)?(?:[/?#][^\s<>"'${"`"})\]]*)?`;
const address = String.raw`(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])${path}`;
const host = String.raw`(?<![\p{L}\p{N}@_.-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+(?:\p{L}{2,24}|xn--[a-z0-9-]+)(?![\p{L}\p{N}_-])${notScheme}${path}`;
/** Whatever text follows it. */
const www = String.raw`(?<![\p{L}\p{N}@-])www\.[^\s<>"'${"`"})\]]+`;
const links = new RegExp(`(${link}|${relative})|(${mail})|(${address})|(${www}|${host})`, "giu");
const mentions = /(?<![\p{L}\p{N}._%+-])@(?=[\p{L}\p{N}_])/gu;
const mayBeActive = /[.:@<&/\\]/u;
/** Link characters in an encoding that only a viewer of HTML or Markdown decodes. */
const entities = /&(?=#x?[\da-f]{1,8};|(?:colon|sol|bsol|period|commat|num|quest|lpar|lsqb|lbrack|lt);)/giu;
const active = /<(?=[!/?]?[a-z]|[@#!])/giu;

/**
 * [flow.r6] Makes links (hosts without a scheme too), mentions and active content of untrusted origin in an outgoing
 * payload inert.
 *
 * @returns The input with changed texts, or `undefined` when nothing changes.
 */
export function defangPayload(call: CallView, input: unknown, grant: Grant | undefined): unknown {
  if (!call.roles.writer || isTrusted(call.level.integrity)) return undefined;
  const { fixed, composed } = grant === undefined ? noPaths : pathsOf(grant);
  // A deciding argument is not content; one that a grant lets the model compose is, whatever the tool declares.
  const deciding = new Set<string>();
  const decidingNames = new Set<string>();
  for (const { path, role, value } of call.leaves) {
    if ((role === "authority" || role === "egress") && !isListed(path, composed)) deciding.add(path);
    if (role === "egress") decidingNames.add(`${path}\n${String(value)}`);
  }
  const inert = (text: string): string => defang(text, (part) => isUsersWord(part, call.state));
  const changed = walk(input, "", {
    // A value that a grant fixes word for word is the user's or the developer's own text [flow.r6.spared].
    text: (text, path) => (deciding.has(path) || isListed(path, fixed) ? text : inert(text)),
    name: (name, holder, path) =>
      (isListed(holder, composed) || isContent(call, holder, path)) &&
      !isListed(path, fixed) &&
      !decidingNames.has(`${path}\n${name}`)
        ? inert(name)
        : name,
  });
  return changed === input ? undefined : changed;
}

/** The paths that a grant fixes to one value, and those that it lets the model compose. */
interface GrantedPaths {
  readonly fixed: readonly string[];
  readonly composed: readonly string[];
}

const noPaths: GrantedPaths = { fixed: [], composed: [] };
const known = new WeakMap<Grant, GrantedPaths>();

function pathsOf(grant: Grant): GrantedPaths {
  let paths = known.get(grant);
  if (paths === undefined) {
    paths = { fixed: pathsWith(grant, "eq"), composed: pathsWith(grant, "composed") };
    // A cache: a grant is parsed once.
    known.set(grant, paths);
  }
  return paths;
}

function pathsWith(grant: Grant, kind: "eq" | "composed"): readonly string[] {
  return Object.entries(grant.args).flatMap(([path, argument]) => (kind in argument ? [normalPath(path)] : []));
}

function isListed(path: string, listed: readonly string[]): boolean {
  return listed.some((one) => isWithin(path, one));
}

/** True if the tool declares an object as content and names none of its members. */
function isContent({ roles }: CallView, holder: string, path: string): boolean {
  const [nearest] = roles.declared
    .filter((one) => isWithin(holder, one.path))
    .toSorted((a, b) => b.path.length - a.path.length);
  return nearest?.role === "payload" && !roles.declared.some((one) => isWithin(one.path, path));
}

/** Functions that rewrite texts and names, each with its path; a name also with the path of its object. */
interface Rewriting {
  readonly text: (text: string, path: string) => string;
  readonly name: (name: string, holder: string, path: string) => string;
}

/** Rewrites the texts of an input, and the names of its members: a reader of the payload sees both. */
function walk(value: unknown, path: string, how: Rewriting): unknown {
  if (typeof value === "string") return how.text(value, path);
  if (Array.isArray(value)) {
    const changed = value.map((item: unknown) => walk(item, `${path}[]`, how));
    return changed.some((item, index) => item !== value[index]) ? changed : value;
  }
  if (!isPlain(value)) return value;
  const taken = new Set(Object.keys(value));
  let same = true;
  const entries = Object.entries(value).map(([key, member]) => {
    const inside = segment(path, key);
    const changed = walk(member, inside, how);
    let name = how.name(key, path, inside);
    // Two names may become equal: neither member replaces the other.
    while (name !== key && taken.has(name)) name += "_";
    taken.add(name);
    same &&= changed === member && name === key;
    return [name, changed] as const;
  });
  return same ? value : Object.fromEntries(entries);
}

/** JSON values; other values of an input are left to the tool. */
function isPlain(value: unknown): value is object {
  if (value === null || value === undefined) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * Makes a text inert.
 *
 * @param isSpared - True if one link or mention is unchanged.
 */
export function defang(text: string, isSpared: (part: string) => boolean): string {
  // Fast path: a text without these characters contains no link.
  if (!mayBeActive.test(text)) return text;
  return text
    .replaceAll(links, (found: string, asLink?: string, asMail?: string) => {
      if (isSpared(found) || isSpared(trimmed(found))) return found;
      if (asLink !== undefined) return withoutScheme(found);
      if (asMail !== undefined) return inertLink(found.replace("@", "[at]"));
      const isFile = isFileName(hostOf(found)) || isBareFileName(found);
      return isFile && !/^www\./iu.test(found) ? found : inertLink(found);
    })
    .replaceAll(mentions, (mention, at: number, whole: string) => (isSpared(wordAt(whole, at)) ? mention : "[at]"))
    .replaceAll(entities, "&amp;")
    .replaceAll(active, "&lt;");
}

function trimmed(link: string): string {
  return link.replace(/[.,;:!?)\]]+$/u, "");
}

function hostOf(link: string): string {
  return link.replace(/[/?#:].*$/su, "");
}

function withoutScheme(link: string): string {
  if (/^[/\\]/u.test(link)) return `[/][/]${inertLink(link.slice(2))}`;
  const colon = link.indexOf(":");
  const scheme = link.slice(0, colon).replace(/^http/iu, "hxxp");
  return inertLink(`${scheme}[:]${link.slice(colon + 1)}`);
}

function wordAt(text: string, at: number): string {
  return text.slice(at).replace(/^(@[\p{L}\p{N}_.-]*).*$/su, "$1");
}
