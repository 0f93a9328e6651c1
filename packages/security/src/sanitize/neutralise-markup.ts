/** Name of the element that wraps untrusted text. */
export const envelopeName = "untrusted-content";

/**
 * Markup by which chat templates and tool protocols mark roles and calls, and this framework's own envelope. Only the
 * first character is replaced by a look-alike, so people still read the same text.
 */
const markup = new RegExp(
  [
    // Template tokens of open models: <|im_start|>, <|endoftext|>, <｜tool▁call▁begin｜>
    String.raw`<(?=\s*[|｜][^<>\n]{1,40}[|｜]\s*>)`,
    // Role, tool and envelope elements.
    String.raw`<(?=\/?\s*(?:${envelopeName}|system|assistant|user|human|developer|tool_calls?|tool_results?|tool_responses?|tool_outputs?|tool_code|tool_use|start_of_turn|end_of_turn|bos|eos|think|function_calls?|function_results?|function|invoke|parameter|antml:[a-z_]+|thinking|s)(?:[\s>=/]))`,
    // [INST], [/INST], <<SYS>>, [TOOL_CALLS], [AVAILABLE_TOOLS], [SYSTEM_PROMPT]
    String.raw`\[(?=\/?(?:INST|SYS|SYSTEM_PROMPT|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|AVAILABLE_TOOLS|MODEL_SETTINGS|THINK)\])`,
    String.raw`<(?=<\/?SYS>>)`,
  ].join("|"),
  "gi",
);

/** Turn markers of text-completion prompts, where an empty line is before them. */
const turns = /(Human|Assistant):/g;

/** True if an empty line ends before a place: two line breaks with nothing but blanks around them. */
function afterEmptyLine(text: string, place: number): boolean {
  let breaks = 0;
  for (let index = place - 1; index >= 0 && breaks < 2; index -= 1) {
    const character = text.charAt(index);
    if (character === "\n") breaks += 1;
    else if (character.trim() !== "") return false;
  }
  return breaks === 2;
}

const lookAlike: Readonly<Record<string, string>> = { "<": "‹", "[": "［" };

/**
 * Makes role, tool-call and envelope markup harmless.
 *
 * @param text - Any text.
 * @returns The same text, by identity, if nothing changes.
 */
export function neutraliseMarkup(text: string): string {
  let clean = text;
  if (clean.includes("<") || clean.includes("["))
    clean = clean.replace(markup, (character) => lookAlike[character] ?? character);
  if (clean.includes("Human") || clean.includes("Assistant"))
    clean = clean.replace(turns, (turn, role: string, at: number, whole: string) =>
      afterEmptyLine(whole, at) ? `${role}∶` : turn,
    );
  return clean;
}
