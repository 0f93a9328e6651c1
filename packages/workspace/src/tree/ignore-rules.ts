import ignore, { type Ignore } from "ignore";

/** The `.gitignore` files of the folders above a path. */
export interface IgnoreRules {
  /** The rules below a folder, with those of the `.gitignore` in it. */
  within(folder: string, text: string | undefined): IgnoreRules;
  /**
   * True if a path is ignored. The nearest file that says something about it decides.
   *
   * @param path - Relative to the root; a folder ends with `/`.
   */
  ignores(path: string): boolean;
}

interface Level {
  readonly folder: string;
  readonly rules: Ignore;
}

/** Rules of no file. */
export function ignoreRules(levels: readonly Level[] = []): IgnoreRules {
  return {
    within(folder, text) {
      if (text === undefined) return this;
      return ignoreRules([{ folder, rules: ignore().add(text.slice(0, 1_000_000)) }, ...levels]);
    },
    ignores(path) {
      for (const { folder, rules } of levels) {
        const { ignored, unignored } = rules.test(path.slice(folder.length));
        if (ignored || unignored) return ignored;
      }
      return false;
    },
  };
}
