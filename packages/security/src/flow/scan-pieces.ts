import type { TextFilter } from "@bailiwick/core";

/** Characters that are looked at together at most: a construct that is longer is none. */
const longestOpen = 4_096;

/** Characters that are kept of what was given on a line: of its beginning, and of its end. */
export const lineBegins: number = 4_096;
const lineEnds = 8;

/** What a step takes of a text, and what it gives for it. */
export interface Step {
  readonly taken: number;
  readonly given: string;
}

/** Reads what stands at a place. */
export interface Reading {
  /** What stands there, as far as it has come. */
  readonly window: string;
  /** What was given for what stands before it on its line: the beginning, and the last few characters. */
  readonly line: string;
  readonly last: string;
  /** No more of it will be shown: what is open stays so. */
  readonly ended: boolean;
  /** It is the end of the whole text. */
  readonly isLast: boolean;
}

/** Where to look, and what to do there; `wait` for more of the text. */
export interface Scanning {
  /** Every character that something may begin with. Not global. */
  readonly beginnings: RegExp;
  /** Finds where something may begin; all before it is given as it is. Global. */
  readonly candidates: RegExp;
  readonly read: (reading: Reading) => Step | "wait";
}

/**
 * Reads a text that arrives in pieces, construct by construct. What is decided depends on the text alone and never on
 * where it was cut: a construct is looked at when it is whole, or too long to be one.
 */
export function scanPieces({ beginnings, candidates, read }: Scanning): TextFilter {
  let held = "";
  let line = "";
  let last = "";

  /** Keeps in mind what stands on the line now. */
  const note = (piece: string): void => {
    const start = piece.lastIndexOf("\n");
    if (start >= 0) line = piece.slice(start + 1, start + 1 + lineBegins);
    // Only speed: a long line would be copied again for each piece.
    else if (line.length !== lineBegins) line = (line + piece).slice(0, lineBegins);
    // Only speed: cut now and then, not for each piece.
    last = last.length < 8 * lineEnds ? last + piece : last.slice(-lineEnds) + piece;
  };

  const drain = (isLast: boolean): string => {
    const text = held;
    let at = 0;
    let given = "";
    while (at < text.length) {
      candidates.lastIndex = at;
      const next = candidates.exec(text)?.index ?? text.length;
      const plain = text.slice(at, next);
      note(plain);
      given += plain;
      at = next;
      // Only speed: nothing is left to look at.
      if (at === text.length) break;
      const window = text.slice(at, at + longestOpen + 1);
      const ended = isLast || window.length > longestOpen;
      const step = read({ window, line, last: last.slice(-lineEnds), ended, isLast });
      if (step === "wait") break;
      note(step.given);
      given += step.given;
      at += step.taken;
    }
    held = text.slice(at);
    return given;
  };

  return {
    push(text) {
      // Only speed: most pieces hold nothing to look at.
      if (held === "" && text !== "" && !beginnings.test(text)) {
        note(text);
        return text;
      }
      held += text;
      return drain(false);
    },
    end: () => drain(true),
  };
}
