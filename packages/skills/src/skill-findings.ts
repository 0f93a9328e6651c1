import type { Skill } from "./skill.ts";
import { findingsOf, textOf } from "./read-skill.ts";

/** A place in a skill that a person should look at before they accept it. */
export interface SkillFinding {
  /** Path of the file. */
  readonly path: string;
  /** Kind of the finding, such as `an address of the network`. */
  readonly what: string;
  /** The words, up to 120 characters. */
  readonly words: string;
}

const patterns: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["an address of the network", /\bhttps?:\/\/[^\s"'<>)]{1,200}/giu],
  ["an encoded block", /[A-Za-z0-9+/]{120,4000}={0,2}/gu],
  [
    "a call of the network",
    /\b(?:curl|wget|nc|ncat|ssh|scp|fetch|urlopen|requests\.(?:get|post)|XMLHttpRequest)\b[^\n]{0,80}/giu,
  ],
  [
    "a path of keys",
    /(?:~|\$HOME|\/root|\/home\/\w{1,40})?\/?\.(?:ssh|aws|gnupg|netrc|npmrc|kube|docker)\b[^\s"']{0,80}|\.env\b|id_(?:rsa|ed25519)\b/giu,
  ],
];

/** Findings of one pattern in one file. */
const mostOfAKind = 5;

/**
 * Finds the places that a person should look at before they accept a skill. The findings inform; they decide nothing.
 *
 * @param skill - The skill.
 */
export async function skillFindings(skill: Skill): Promise<readonly SkillFinding[]> {
  const findings: SkillFinding[] = [];
  for (const [path, { bytes, isExecutable }] of skill.files) {
    if (isExecutable) findings.push({ path, what: "a program", words: path });
    const text = textOf(bytes);
    if (text === undefined) {
      findings.push({ path, what: "a file that is not text", words: `${bytes.length} bytes` });
      continue;
    }
    for (const what of await findingsOf(text))
      findings.push({ path, what: "words or characters of an attack", words: what });
    for (const [what, pattern] of patterns)
      for (const { 0: words } of [...text.matchAll(pattern)].slice(0, mostOfAKind))
        findings.push({ path, what, words: words.length > 120 ? `${words.slice(0, 119)}…` : words });
  }
  return findings;
}
