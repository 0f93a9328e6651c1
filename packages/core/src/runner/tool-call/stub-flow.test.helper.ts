import type { FlowCall, FlowDecision, FlowRun } from "../../contracts/ports/flow-policy.ts";
import { bareQuestion } from "../../journal/bare-question.ts";

/** A flow policy that allows each call, unless `decide` answers otherwise. */
export function flow(decide: (call: FlowCall) => Partial<FlowDecision>, more: Partial<FlowRun> = {}): () => FlowRun {
  return () => ({
    labelFor: () => undefined,
    observe: () => undefined,
    decide: (call) => ({ verdict: "allow", rule: "R1", explanation: "Because.", ...decide(call) }),
    questionFor: ({ toolCallId }) => bareQuestion("", "", toolCallId),
    coversRemembered: () => false,
    quarantine: (_call, output) => output,
    withholds: () => false,
    resolveReferences: (args) => args,
    stopsAfterDenials: () => false,
    journalGrants: () => undefined,
    extract: () => Promise.reject(new Error("Nothing is quarantined.")),
    endorse: () => Promise.reject(new Error("Nothing is quarantined.")),
    loweredBy: () => ({ from: "l", integrity: { before: "untrusted", after: "user" } }),
    forInside: { bits: { left: () => 0, spendInside: () => false }, userTexts: () => [], isPlanned: () => true },
    fetchFor: (_call, send) => send,
    answerFilter: () => ({ push: (text) => text, end: () => "" }),
    controlLabel: () => ({ id: "l", integrity: "untrusted", readers: "public", parents: [], origin: { kind: "join" } }),
    storedLabel: () => ({ id: "l", integrity: "untrusted", readers: "public", parents: [], origin: { kind: "join" } }),
    ...more,
  });
}
