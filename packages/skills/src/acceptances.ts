import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isHash } from "./skill.ts";
import { makePrivate, stateFolder } from "./state-folder.ts";

/** A person has read a skill of others, and takes its text as their own. */
export interface Acceptance {
  /** Hash of exactly the text that the person saw. */
  readonly hash: string;
  /** The person who accepted it. */
  readonly by: string;
  /** Time, in milliseconds since the epoch. */
  readonly at: number;
}

const fileIn = (folder: string): string => join(folder, "accepted.jsonl");

/** The accepted skills of the user. A line that cannot be read accepts nothing. */
export function readAcceptances(): readonly Acceptance[] {
  const file = fileIn(stateFolder());
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8").split("\n").flatMap(acceptanceOf);
}

/** Keeps an acceptance in the user's state folder. */
export function keepAcceptance(acceptance: Acceptance): void {
  const folder = stateFolder();
  makePrivate(folder);
  appendFileSync(fileIn(folder), `${JSON.stringify(acceptance)}\n`, { mode: 0o600 });
}

function acceptanceOf(line: string): readonly Acceptance[] {
  try {
    const { hash, by, at } = JSON.parse(line) as Partial<Record<keyof Acceptance, unknown>>;
    return isHash(hash) && typeof by === "string" && typeof at === "number" ? [{ hash, by, at }] : [];
  } catch {
    return [];
  }
}
