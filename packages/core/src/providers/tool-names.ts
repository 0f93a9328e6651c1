import { sha256 } from "@noble/hashes/sha2.js";
import { hex } from "../json/canonical-json.ts";

/** Allowed form of tool names. */
export interface ToolNameLimits {
  /** Tested against the whole name. */
  readonly pattern: RegExp;
  /** Maximum number of characters. */
  readonly maxLength: number;
}

/**
 * A tool's name in a form that the wire accepts. The same name always maps to the same result; a name that has to
 * change gets a suffix of its hash, so that two names never collide.
 *
 * @param name - The name as registered.
 * @param limits - The vendor's rules.
 */
export function wireToolName(name: string, limits: ToolNameLimits): string {
  if (name.length <= limits.maxLength && limits.pattern.test(name)) return name;
  const suffix = hex(sha256(new TextEncoder().encode(name))).slice(0, 8);
  const letters = name.replace(/[^a-zA-Z0-9_-]/g, "_");
  // Some vendors require a letter or `_` first.
  const written = limits.pattern.test(letters) ? letters : `_${letters}`;
  return `${written.slice(0, limits.maxLength - suffix.length - 1)}_${suffix}`;
}

/**
 * Maps names that a model answers with back to the registered ones.
 *
 * @param names - Names of all tools that were offered.
 * @param limits - The vendor's rules.
 */
export function toolNameReader(names: Iterable<string>, limits: ToolNameLimits): (wireName: string) => string {
  const changed = new Map<string, string>();
  for (const name of names) {
    const wireName = wireToolName(name, limits);
    if (wireName !== name) changed.set(wireName, name);
  }
  return (wireName) => changed.get(wireName) ?? wireName;
}
