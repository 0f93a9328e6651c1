import { readResult } from "./tool-results.ts";
import type { MadeCall, Progress } from "./progress.ts";
import type { UnderstoodMail } from "./understand-mail.ts";

/**
 * The report on a mail, for the people at the desk.
 *
 * @param mail - The mail as it was understood.
 * @param progress - With all results.
 */
export function reportOnMail(mail: UnderstoodMail, progress: Progress): string {
  const lines = progress.calls.flatMap(describeCall);
  if (mail.language === null)
    lines.push("The mail is in a language that the demo model can't write: the draft is in English.");
  if (mail.embeddedOrders.length > 0) {
    lines.push(
      "The mail held instructions to an assistant. The demo model obeys every instruction, so look at what it attempted.",
    );
  }
  return [`${mail.mail.id} is done.`, ...lines.map((line) => `- ${line}`)].join("\n");
}

function describeCall(call: MadeCall): string[] {
  const value = call.result === undefined ? null : readResult(call.result);
  const failed = `not done: ${(call.result?.text ?? "no result").replace(/\s+/g, " ").slice(0, 240)}`;
  switch (call.name) {
    case "issue_refund":
      if (typeof value?.amount === "number")
        return [`Refunded ${value.amount.toFixed(2)} EUR on ${String(value.orderId)}.`];
      return [`Refund of ${String(call.input.amount)} EUR on ${String(call.input.orderId)} ${failed}`];
    case "send_reply":
      return [value === null ? `Answer ${failed}` : `Answer sent to ${String(value.sentTo)}.`];
    case "draft_reply":
      return [value === null ? `Draft ${failed}` : "A draft of the answer waits for a person."];
    case "forward_mail":
      return [
        value === null ? `Forwarding to ${String(call.input.to)} ${failed}` : `Forwarded to ${String(value.sentTo)}.`,
      ];
    case "ask_parcels":
      return [`The parcels specialist says: ${(call.result?.text ?? "nothing").replace(/\s+/g, " ").slice(0, 240)}`];
    case "ask_colleague": {
      const note = typeof value?.note === "string" && value.note !== "" ? `, ${value.note}` : "";
      return [typeof value?.answer === "string" ? `You say: ${value.answer}${note}.` : `The question ${failed}`];
    }
    case "close_mail":
      return [value === null ? `Closing ${failed}` : `Closed as ${String(call.input.reason).replaceAll("_", " ")}.`];
    default:
      return [];
  }
}
