/** Name of the element that wraps untrusted text. */
export const envelopeName = "untrusted-content";

/**
 * Markup by which chat templates and tool protocols mark roles and calls, and this framework's own envelope. Only the
 * first character is exchanged for a look-alike, so that people still read the same.
 */
const markup = new RegExp(
  [
    // Template tokens of open models: <|im_start|>, <|endoftext|>, <｜tool▁call▁begin｜>
    String.raw`<(?=\s*[|｜][^<>\n]{1,40}[|｜]\s*>)`,
    // Role, tool and envelope elements.
    String.raw`<(?=\/?\s*(?:${envelopeName}|system|assistant|user|human|developer|tool_calls?|tool_results?|tool_use|function_calls?|function_results?|function|invoke|parameter|antml:[a-z_]+|thinking|s)(?:[\s>=/]))`,
    // [INST], [/INST], <<SYS>>, [TOOL_CALLS], [AVAILABLE_TOOLS]
    String.raw`\[(?=\/?(?:INST|SYS|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\])`,
    String.raw`<(?=<\/?SYS>>)`,
  ].join("|"),
  "gi",
);

/** Turn markers of text-completion prompts: an empty line, a role, a colon. */
const turns = /(\n\s*\n\s*(?:Human|Assistant))(:)/g;

const lookAlike: Readonly<Record<string, string>> = { "<": "‹", "[": "［" };

/**
 * Makes role, tool-call and envelope markup harmless.
 *
 * @param text - Any text.
 * @returns The same text, by identity, when there is nothing to change.
 */
export function neutraliseMarkup(text: string): string {
  let clean = text;
  if (clean.includes("<") || clean.includes("["))
    clean = clean.replace(markup, (character) => lookAlike[character] ?? character);
  if (clean.includes("Human") || clean.includes("Assistant")) clean = clean.replace(turns, "$1∶");
  return clean;
}
