import type { AssistantMessage } from "../../contracts/message.ts";
import type { DrivenRun } from "../driven-run.ts";
import { filtered } from "./filtered-text.ts";

/** What of all that an answer says, commentary included, may be shown, where that is not all of it: whoever reads the journal later shows the same. */
export function shownText(run: DrivenRun, message: AssistantMessage): { readonly shownText?: string } {
  if (run.flow === undefined) return {};
  const text = message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  if (text === "") return {};
  const shown = filtered(run, text);
  return shown === text ? {} : { shownText: shown };
}
