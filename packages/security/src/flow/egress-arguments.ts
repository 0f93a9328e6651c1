import type { JsonSchema } from "@bailiwick/core";

import { segment } from "./paths.ts";

/** [flow.r5] Formats that say URL or host. */
const egressFormats: ReadonlySet<unknown> = new Set([
  "uri",
  "uri-reference",
  "uri-template",
  "iri",
  "iri-reference",
  "url",
  "hostname",
  "idn-hostname",
  "ipv4",
  "ipv6",
]);

const egressWords: ReadonlySet<string> = new Set([
  "url",
  "urls",
  "uri",
  "uris",
  "href",
  "link",
  "links",
  "host",
  "hosts",
  "hostname",
  "hostnames",
  "domain",
  "domains",
  "website",
  "websites",
  "webhook",
  "webhooks",
  "endpoint",
  "endpoints",
]);

/**
 * [flow.r5] True if an argument's name indicates a URL or host: `url`, `webhookUrl`, `target_host`.
 */
export function namesEgress(name: string): boolean {
  const words = name
    .replaceAll(/[A-Z]{2,}s(?![a-z])/gu, (plural) => ` ${plural.toLowerCase()} `)
    .replaceAll(/([a-z0-9])([A-Z])/gu, "$1 $2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/gu, "$1 $2");
  return words
    .toLowerCase()
    .split(/[^a-z0-9]+/u)
    .some(
      (word) => egressWords.has(word) || /[a-z]{2}(?:url|uri|href|hostname|webhook|website|endpoint)s?$/u.test(word),
    );
}

/** The paths of a schema whose format or name says URL or host. */
export function egressPathsOf(schema: JsonSchema): readonly string[] {
  const found: string[] = [];
  const open = new Set<JsonSchema>();
  const visit = (given: unknown, path: string, name: string): void => {
    // A schema that is only `true` admits anything.
    const position = given === true ? {} : given;
    if (!isSchema(position) || open.has(position)) return;
    open.add(position);
    if (egressFormats.has(position["format"]) || (namesEgress(name) && admitsText(position))) found.push(path);
    for (const keyword of ["anyOf", "oneOf", "allOf"]) {
      const parts = position[keyword];
      if (Array.isArray(parts)) for (const part of parts as readonly unknown[]) visit(part, path, name);
    }
    const {
      $ref: reference,
      properties,
      items,
    } = position as { $ref?: unknown; properties?: unknown; items?: unknown };
    if (typeof reference === "string") visit(followReference(reference, schema), path, name);
    if (isSchema(properties)) {
      for (const [key, member] of Object.entries(properties)) visit(member, segment(path, key), key);
    }
    if (isSchema(items)) visit(items, `${path}[]`, name);
    const prefix = position["prefixItems"];
    if (Array.isArray(prefix)) for (const item of prefix as readonly unknown[]) visit(item, `${path}[]`, name);
    open.delete(position);
  };
  visit(schema, "", "");
  return [...new Set(found)];
}

/** True if a value of a schema can have text in it. */
export function admitsText(position: JsonSchema): boolean {
  const { type } = position;
  if (type === undefined) return true;
  const types: readonly unknown[] = [type].flat();
  return types.includes("string") || types.includes("array") || types.includes("object");
}

/** Follows a reference within a schema document. */
export function followReference(reference: string, root: JsonSchema): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let target: unknown = root;
  for (const token of reference.slice(2).split("/")) {
    const key = decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, key)) return undefined;
    target = (target as Record<string, unknown>)[key];
  }
  return target;
}

/** True if a position of a schema document is a schema object. */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
