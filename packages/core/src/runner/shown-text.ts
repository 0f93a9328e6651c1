import type { AssistantMessage } from "../contracts/message.ts";
import { answerText } from "../history/answer-text.ts";
import type { DrivenRun } from "./driven-run.ts";
import { filtered } from "./finish-answer.ts";

/** What of an answer's text may be shown, where that is not all of it: whoever reads the journal later shows the same. */
export function shownText(run: DrivenRun, message: AssistantMessage): { readonly shownText?: string } {
  if (run.flow === undefined) return {};
  const text = answerText(message);
  const shown = filtered(run, text);
  return shown === text ? {} : { shownText: shown };
}
