import { ConfigurationError } from "@bailiwick/core/extension";

/** A mistake in a skill. */
export interface SkillMistake {
  /** Path of the file. */
  readonly file: string;
  /** Line of the mistake, from 1; absent for a mistake of the whole file. */
  readonly line?: number | undefined;
  /** The mistake and the right form, as a sentence. */
  readonly problem: string;
}

/** Skills that cannot be offered; the message and `mistakes` list all mistakes of all skills. */
export class SkillInvalidError extends ConfigurationError {
  /** The mistakes, by skill and line. */
  readonly mistakes: readonly SkillMistake[];

  /**
   * @param mistakes - The mistakes of all skills; at least one.
   */
  constructor(mistakes: readonly SkillMistake[]) {
    const shown = mistakes.slice(0, 50).map(mistakeLine);
    const more = mistakes.length > shown.length ? [`and ${mistakes.length - shown.length} more`] : [];
    super("SKILL_INVALID", `Skills cannot be read:\n${[...shown, ...more].map((line) => `- ${line}`).join("\n")}`);
    this.mistakes = mistakes;
  }
}

/** A mistake as one line: file, line and what is wrong. */
export function mistakeLine({ file, line, problem }: SkillMistake): string {
  return `${file}${line === undefined ? "" : `:${line}`}: ${problem}`;
}
