import type { Interruption } from "@bailiwick/core";
import { acknowledging, type ClientDecision } from "./acknowledgement.ts";
import { askedId } from "../runs/second-id.ts";
import { asObject, asOptionalText, asText } from "./read-body.ts";
import { invalid } from "./request-error.ts";

/** An AG-UI client's answer to one question. */
export interface InterruptAnswer {
  readonly interruptId: string;
  readonly status: "resolved" | "cancelled";
  readonly payload: unknown;
}

/**
 * Reads the `resume` entries of a request.
 *
 * @throws RequestError `INVALID_REQUEST`, naming the field.
 */
export function readAnswers(entries: readonly unknown[]): readonly InterruptAnswer[] {
  return entries.map((entry, index) => {
    const path = `resume[${index}]`;
    const { interruptId, status, payload } = asObject(entry, path);
    if (status !== "resolved" && status !== "cancelled")
      throw invalid(`${path}.status has to be "resolved" or "cancelled".`);
    return { interruptId: asText(interruptId, `${path}.interruptId`), status, payload };
  });
}

/**
 * The decision that an answer makes.
 *
 * @param question - The question.
 * @param origin - The person who answered, and the place.
 * @throws RequestError `INVALID_REQUEST` for an answer that the kind of question cannot have.
 */
export function toDecision(
  question: Interruption,
  { interruptId, status, payload }: InterruptAnswer,
  origin: { readonly decidedBy?: string; readonly channel: string },
): ClientDecision {
  const path = `The payload of "${question.id}"`;
  switch (question.kind) {
    case "approval": {
      if (status === "cancelled") return question.reject("The question was put away.", origin);
      const given = typeof payload === "boolean" ? { approved: payload } : asObject(payload, path);
      const { approved, reason, args, acknowledged } = given;
      const isSecond = acknowledged === "suspicious" || askedId(interruptId).isSecond;
      if (typeof approved !== "boolean") throw invalid(`${path} needs "approved": true or false.`);
      if (!approved) return question.reject(asOptionalText(reason, `${path}, "reason",`), origin);
      return acknowledging(question.approve({ ...(args !== undefined && { args }), ...origin }), isSecond);
    }
    case "unknown_outcome": {
      if (status === "cancelled") return question.giveUp("The question was put away.", origin);
      const { happened, output, reason } = asObject(payload, path);
      if (happened === true) return question.itHappened(output, origin);
      if (happened === false) return question.itDidNotHappen(origin);
      if (happened === null) return question.giveUp(asOptionalText(reason, `${path}, "reason",`), origin);
      throw invalid(`${path} needs "happened": true, false, or null if it is not known.`);
    }
    case "question":
      if (status === "cancelled")
        throw invalid(`"${question.id}" has to be answered: its tool waits for a value. Cancel the run to give it up.`);
      return question.answer(payload, origin);
    case "client_tool":
      if (status === "cancelled") return question.fail("The client did not run the tool.", origin);
      return question.answer(payload, origin);
  }
}
