import { styleText } from "node:util";
import { printable, printableJson, printableOutput } from "./printable.ts";

/** Colours of the output. */
export type Tone = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Output of a command: results on standard output, everything else on the error stream. */
export interface Terminal {
  /** `--json` was given: results are JSON, and nothing else is printed on standard output. */
  readonly json: boolean;
  /** A person sits at the terminal and can answer. */
  readonly interactive: boolean;
  /** Prints a result for people; nothing with `--json`. */
  print(text: string): void;
  /** Prints the result of the command: the value with `--json`, else the text. */
  result(value: unknown, text: () => string): void;
  /** Prints a note on the error stream; nothing with `--json`. */
  note(text: string): void;
  /** Shows the progress in one line that is replaced; only on a terminal. */
  progress(text: string): void;
  /** Removes the line of `progress`. */
  settle(): void;
  /** Colours text if standard output is a terminal that shows colours. */
  paint(tone: Tone, text: string): string;
}

/**
 * Makes the output of a command.
 *
 * @param json - True to print results as JSON.
 */
export function createTerminal(json: boolean): Terminal {
  const { stdout, stderr, stdin } = process;
  const showsProgress = stderr.isTTY && !json;
  let line = false;
  const settle = (): void => {
    if (line) stderr.write("\r\u001B[2K");
    line = false;
  };
  const print = (text: string): void => {
    settle();
    if (!json) stdout.write(`${printableOutput(text)}\n`);
  };
  return {
    json,
    interactive: stdin.isTTY && stderr.isTTY && !json,
    print,
    result(value, text) {
      if (json) stdout.write(`${printableJson(JSON.stringify(value, undefined, 2))}\n`);
      else print(text());
    },
    note(text) {
      settle();
      if (!json) stderr.write(`${printableOutput(text)}\n`);
    },
    progress(text) {
      if (!showsProgress) return;
      stderr.write(`\r\u001B[2K${printable(text).slice(0, Math.max(20, (stderr.columns ?? 80) - 1))}`);
      line = true;
    },
    settle,
    paint: (tone, text) => (json ? text : styleText(tone, text, { stream: stdout })),
  };
}
