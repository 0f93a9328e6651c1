import { jsonText, unsupportedSetting } from "@bailiwick/core/provider";
import type { Warning } from "@bailiwick/core/provider";
import type { Block } from "../cache-breakpoints.ts";
import type { ModelContext } from "../model-context.ts";
import type { Conversation } from "./input.ts";

/** The text after an answer that the vendor cannot continue by itself. */
const goOn = "Continue.";

/**
 * Makes the last turn acceptable to the model: the user's, an answer that paused, or the beginning of an answer if the
 * model can continue one.
 *
 * @param conversation - Its turns are changed.
 * @param thinks - True if the model thinks: then it cannot continue text that is not its own.
 * @param context - The model.
 * @param warnings - Gets an entry if a beginning was not accepted as one.
 */
export function endConversation(
  { turns, paused }: Conversation,
  thinks: boolean,
  context: ModelContext,
  warnings: Warning[],
): void {
  const last = turns.at(-1);
  if (last === undefined || last.role === "user" || paused) return;
  if (context.traits.prefill && !thinks) {
    trimEnd(last.content);
    if (last.content.length === 0) turns.pop();
    return;
  }
  const why = context.traits.prefill ? "a model that thinks does" : `${context.modelId} does`;
  warnings.push(
    unsupportedSetting("prefill", `${why} not accept a prefilled answer, so a message asks it to continue.`),
  );
  turns.push({ role: "user", content: [{ type: "text", text: goOn }] });
}

/** White space at the very end is refused. */
function trimEnd(content: Block[]): void {
  const block = content.at(-1);
  if (block?.["type"] !== "text") return;
  const text = jsonText(block["text"]).trimEnd();
  if (text === "") content.pop();
  else content[content.length - 1] = { ...block, text };
}
