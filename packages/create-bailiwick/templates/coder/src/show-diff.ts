import { styleText } from "node:util";

/** Characters that move the cursor or hide text: a file must not draw on the terminal. */
const unsafe = /[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text of others for the terminal, with its invisible characters as codes. */
export function plain(text: string): string {
  return text.replaceAll(unsafe, (one) => `<U+${one.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}>`);
}

/** A diff in colours: removed lines red, added lines green. */
export function colouredDiff(diff: string): string {
  return plain(diff)
    .split("\n")
    .map((line) => {
      if (line.startsWith("diff ") || line.startsWith("+++") || line.startsWith("---")) return styleText("bold", line);
      if (line.startsWith("@@")) return styleText("cyan", line);
      if (line.startsWith("+")) return styleText("green", line);
      return line.startsWith("-") ? styleText("red", line) : line;
    })
    .join("\n");
}
