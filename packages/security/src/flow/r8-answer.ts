import type { FlowOptions } from "@bailiwick/core";

import { occursIn } from "./r5-egress.ts";

/** URLs that an answer's links are checked against. */
export interface AnswerSources {
  /** The user's own words. */
  readonly userTexts: readonly string[];
  /** Texts of single tool results. */
  readonly resultTexts: () => readonly string[];
}

const label = String.raw`((?:[^[\]]|\[[^[\]]*\])*)`;
const target = String.raw`\(((?:[^()]|\([^()]*\))*)\)`;
const inlineImage = new RegExp(String.raw`!\[${label}\]${target}`, "gu");
const inlineLink = new RegExp(String.raw`(?<!!)\[${label}\]${target}`, "gu");
const referenceImage = new RegExp(String.raw`!\[${label}\](?!\()(?:\[[^\]]*\])?`, "gu");
const definition =
  /^[ \t]*\[(?:[^\][\\]|\\.)+\]:[ \t]*(?:\n[ \t>]*)?(\S+)(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*$/gmu;
const autolink = /<((?:https?|ftp|mailto):[^\s<>]*)>/giu;
const tag = /<(?!(?:https?|ftp|mailto):)([a-z][\w:-]*)\b[^>]*>/giu;
const blockWithContent = /<(style|script)\b[^>]*>[\s\S]*?(?:<\/\1\s*>|$)/giu;

/** Elements that fetch, run or redirect regardless of their attributes. */
const alwaysActive: ReadonlySet<string> = new Set(
  "link style script base meta iframe frame frameset object embed applet portal form".split(" "),
);
const mediaElements: ReadonlySet<string> = new Set("img picture source video audio track".split(" "));
const fetchAttribute =
  /[\s"'/](?:src|srcset|href|xlink:href|data|poster|background|action|formaction|style|ping|manifest|on\w+)\s*=/iu;
const plainTag = /^<[a-z][\w:-]*(?:\s+[\w:-]+="[^"<>]*")*\s*\/?>$/iu;
const attribute = /([\w:-]+)="([^"]*)"/gu;

/**
 * Removes the parts of an answer that a viewer would fetch by itself, and turns links without a source into text:
 * images, embeds, style sheets and prefetches are removed unless their host is allowed; a link stays if its exact URL
 * is in the user's text or verbatim in one tool result. The guard handles constructs that form with the surrounding
 * text [flow.r8].
 */
export function cleanConstruct(text: string, options: FlowOptions, sources: AnswerSources): string {
  const hosts = options.allowedHosts ?? [];
  const fetchable = (url: string): boolean => hostAllowed(url, hosts);
  const linkable = (url: string): boolean => mayLink(url, options, sources);
  return text
    .replaceAll(blockWithContent, "")
    .replaceAll(tag, (found: string) => keptTag(found, fetchable, linkable))
    .replaceAll(inlineImage, (image: string, alt: string, inner: string) => (fetchable(urlOf(inner)) ? image : alt))
    .replaceAll(referenceImage, (_image: string, alt: string) => alt)
    .replaceAll(definition, (line: string, url: string) => (linkable(urlOf(url)) ? line : ""))
    .replaceAll(inlineLink, (link: string, said: string, inner: string) =>
      linkable(urlOf(inner)) ? link : labelText(said, urlOf(inner)),
    )
    .replaceAll(autolink, (link: string, url: string) => (linkable(url) ? link : plainUrl(url)));
}

/** The permitted form of a tag: without a tag that fetches, and without one whose end is ambiguous. */
export function keptTag(
  found: string,
  fetchable: (url: string) => boolean,
  linkable: (url: string) => boolean,
): string {
  const name = found.replace(/^<([\w:-]*).*$/su, "$1").toLowerCase();
  const plain = plainTag.test(found);
  if (name === "a") {
    const attributes = [...found.matchAll(attribute)];
    const known =
      plain &&
      attributes.every(([, key = "", value = ""]) =>
        key.toLowerCase() === "href" ? linkable(value) : key.toLowerCase() === "title",
      );
    return known ? found : "<a>";
  }
  if (alwaysActive.has(name) || !plain) return "";
  if (!fetchAttribute.test(found)) return found;
  if (!mediaElements.has(name)) return "";
  const allowed = [...found.matchAll(attribute)].every(([, key = "", value = ""]) => {
    const inert = /^(?:alt|title|width|height|controls|type)$/iu.test(key);
    return inert || (/^(?:src|poster)$/iu.test(key) && fetchable(value));
  });
  return allowed ? found : "";
}

/** The URL inside the parentheses of a link: the text in angle brackets, or the first word. */
export function urlOf(inner: string): string {
  const text = inner.trim();
  return text.startsWith("<") ? text.slice(1).replace(/>.*$/su, "") : text.replace(/\s.*$/su, "");
}

/** A composed link as plain text. */
function labelText(said: string, url: string): string {
  return said.trim() === "" || said.trim() === url ? plainUrl(url) : said;
}

/** A URL that no viewer makes clickable. */
function plainUrl(url: string): string {
  return url.replace(/^(https?|ftp|wss?|mailto):/iu, "$1[:]").replaceAll(".", "[.]");
}

/** True if an answer may link to a URL: the user or a result contains it, or it is allowed. */
export function mayLink(url: string, options: FlowOptions, sources: AnswerSources): boolean {
  const mode = options.answerLinks;
  // A place in the same page or site; nothing that a viewer could parse as another host.
  if (/^(?:#|\.?\/(?![/\\]))[\w\-./?=%#~]*$/u.test(url)) return true;
  if (!/^(?:https?:\/\/|www\.|mailto:)/iu.test(url)) return false;
  if (mode === "keep" || hostAllowed(url, options.allowedHosts ?? [])) return true;
  if (mode === "allowlist") return false;
  return (
    sources.userTexts.some((said) => occursIn(url, said)) ||
    sources.resultTexts().some((result) => occursIn(url, result))
  );
}

/** True if a URL's host is one that the developer allows. */
export function hostAllowed(url: string, hosts: readonly string[]): boolean {
  // Fast path: no link is allowed.
  if (hosts.length === 0) return false;
  let host: string;
  try {
    const parsed = new URL(url.startsWith("www.") ? `https://${url}` : url.startsWith("//") ? `https:${url}` : url);
    if (parsed.protocol !== "https:" && parsed.protocol !== "http:") return false;
    // Text that a viewer could parse as another host, such as a slash that is written as an entity.
    if (!/^[\p{L}\p{N}.:[\]-]+$/u.test(parsed.host)) return false;
    host = parsed.host.toLowerCase();
  } catch {
    return false;
  }
  return hosts.some((allowed) => {
    const pattern = allowed.toLowerCase();
    return pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : host === pattern;
  });
}
