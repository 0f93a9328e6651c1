import { ownCopy } from "../../user-code/copies.ts";
import { fail } from "./call.ts";
import type { PipelineCall } from "./call.ts";
import { refuseUnsealed } from "./secret-arguments.ts";

const quotedCharacters = 500;

/**
 * Takes the arguments as the provider parsed them, or reads their text as JSON. Empty text means `{}`; anything else
 * that does not parse is never guessed at.
 */
export function parse(call: PipelineCall): void {
  if (call.run.journal.state.lastAnswer?.toolCalls[call.index]?.redacted === true && call.state.exact === undefined) {
    refuseUnsealed(call);
    return;
  }
  const text = call.rawArguments;
  if (call.givenInput !== undefined) {
    // A copy: what a tool does to its arguments must not change the conversation.
    call.args = ownCopy(call.givenInput);
    return;
  }
  if (text.trim() === "") {
    call.args = {};
    return;
  }
  try {
    call.args = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    fail(
      call,
      "invalid_input",
      `The arguments of "${call.toolName}" are not valid JSON (${reason}), so nothing ran. You wrote: ${quote(text)}. Write them again as one complete JSON object.`,
      { code: "ARGUMENTS_NOT_JSON" },
    );
  }
}

/** Shows the beginning and the end of a text: what is wrong is usually at one of them. */
function quote(text: string): string {
  if (text.length <= quotedCharacters) return text;
  const half = quotedCharacters / 2;
  return `${text.slice(0, half)} … [${text.length - quotedCharacters} characters left out] … ${text.slice(-half)}`;
}
