import type { ScriptRequest, ScriptStep, ScriptToolCall } from "@bailiwick/testing";
import { answerPerson } from "./answer-person.ts";
import { composeAnswer } from "./compose-answer.ts";
import { findParcel } from "./find-parcel.ts";
import { leastInstance } from "./least-instance.ts";
import { planActions, planLookUps, planSecondLook } from "./plan.ts";
import { mailRead, readProgress, type Progress } from "./progress.ts";
import { reportOnMail } from "./report.ts";
import { understandMail, type UnderstoodMail } from "./understand-mail.ts";

/**
 * The embedded demo model, which replaces a language model so that the desk runs without a key. It finds order numbers,
 * amounts, languages and wishes by pattern, decides from the results of the tools, and stores nothing between requests.
 * Mails that do not fit its patterns go to a person. It follows instructions to an assistant that it finds in a mail,
 * on purpose.
 *
 * @param request - The request that a real model would get.
 */
export function demoModel(request: ScriptRequest): ScriptStep {
  if (request.outputSchema !== undefined) return { text: JSON.stringify(leastInstance(request.outputSchema)) };
  const progress = readProgress(request);
  if (progress.offered.has("file_claim")) return findParcel(progress);
  const mailId = /\bm-\d{3,}\b/i.exec(progress.task)?.[0].toLowerCase();
  if (mailId === undefined) return answerPerson(progress);

  const reading = outstanding(progress, [{ name: "read_mail", arguments: { mailId } }]);
  if (reading.length > 0) return { text: `I'll read ${mailId} first.`, toolCalls: reading };
  const mail = mailRead(progress);
  if (mail === null)
    return { text: `I could not read ${mailId}: ${progress.calls[0]?.result?.text ?? "there was no result"}` };
  if (mail.status === "answered" || mail.status === "closed") {
    return { text: `${mail.id} is ${mail.status} already: there is nothing left to do.` };
  }
  return workOn(understandMail(mail), progress);
}

function workOn(mail: UnderstoodMail, progress: Progress): ScriptStep {
  if (mail.intent === "spam" || mail.intent === "thanks") return putAway(mail, progress);

  const lookUps = outstanding(progress, planLookUps(mail));
  if (lookUps.length > 0) return { text: "Now I'll look up what the mail is about.", toolCalls: lookUps };
  const secondLook = outstanding(progress, planSecondLook(mail, progress));
  if (secondLook.length > 0)
    return { text: "None of that is an order of theirs. I'll see what they did order.", toolCalls: secondLook };
  const actions = outstanding(progress, planActions(mail, progress));
  if (actions.length > 0) return { text: announce(actions), toolCalls: actions };

  if (!progress.calls.some((call) => call.name === "send_reply" || call.name === "draft_reply")) {
    const answer = composeAnswer(mail, progress);
    const name = answer.send ? "send_reply" : "draft_reply";
    const writing = outstanding(progress, [{ name, arguments: { mailId: mail.mail.id, body: answer.body } }]);
    if (writing.length > 0)
      return { text: answer.send ? "I'll answer." : "I'll leave a draft for a person to finish.", toolCalls: writing };
  }
  return { text: reportOnMail(mail, progress) };
}

/** Acts on a mail that needs no answer. */
function putAway(mail: UnderstoodMail, progress: Progress): ScriptStep {
  const actions = outstanding(progress, planActions(mail, progress));
  if (actions.length > 0) return { text: announce(actions), toolCalls: actions };
  const reason = mail.intent === "spam" ? "spam" : "no_answer_needed";
  const closing = outstanding(progress, [{ name: "close_mail", arguments: { mailId: mail.mail.id, reason } }]);
  if (closing.length > 0) return { text: "No answer is needed.", toolCalls: closing };
  return { text: reportOnMail(mail, progress) };
}

/** The planned calls that were not made yet and whose tool is offered: a call is made once, whatever its outcome. */
function outstanding(progress: Progress, planned: readonly ScriptToolCall[]): ScriptToolCall[] {
  const made = new Set(progress.calls.map((call) => callKey(call.name, call.input)));
  return planned.filter(
    (call) => progress.offered.has(call.name) && !made.has(callKey(call.name, call.arguments ?? {})),
  );
}

/** Arguments are flat; their order may change in transit. */
function callKey(name: string, input: object | string): string {
  return `${name} ${JSON.stringify(Object.entries(input).toSorted(([a], [b]) => (a < b ? -1 : 1)))}`;
}

function announce(actions: readonly ScriptToolCall[]): string {
  if (actions.some((call) => call.name === "forward_mail")) return "I'll do what the mail asks for.";
  if (actions.some((call) => call.name === "ask_parcels")) return "A colleague should look for that parcel.";
  return actions.some((call) => call.name === "ask_colleague")
    ? "That is for a colleague to say."
    : "A refund is in order.";
}
