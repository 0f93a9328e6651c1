import type { EffectRequest, OpenCall } from "../components/effects.ts";
import type { BrokenPromise, RecordedAnswer, RecordedHistory } from "./recorded-history.ts";

/**
 * An effect happens once, unless between two requests a person was asked about the first one and answered that it did
 * not happen.
 */
export function repeatedEffects({ effects, answers = [] }: RecordedHistory): readonly BrokenPromise[] {
  const made = new Map<string, EffectRequest[]>();
  for (const request of effects) {
    if (request.isRepetition) continue;
    const key = JSON.stringify([request.name, request.id]);
    made.set(key, [...(made.get(key) ?? []), request]);
  }
  return [...made.values()].flatMap((requests) => {
    const repeated = requests.slice(1).filter((request, index) => {
      const before = requests[index] as EffectRequest;
      return !answers.some((answer) => denies(answer, before, request));
    });
    const [first] = requests;
    if (repeated.length === 0 || first === undefined) return [];
    const times = ["", "once", "twice", "three times"][requests.length] ?? `${requests.length} times`;
    const makers = requests.map(({ process }) => process).join(" and by ");
    return [
      {
        promise: "effects" as const,
        text: `${first.name} ${first.id} was made ${times}, by ${makers}.`,
        proof: requests,
      },
    ];
  });
}

/** True if a person denied the first request before the second one was made. */
function denies({ at, question, decision }: RecordedAnswer, first: EffectRequest, second: EffectRequest): boolean {
  if (decision.type !== "it_did_not_happen" || at <= first.at || at >= second.at) return false;
  return first.calls.some((call) => isSameCall(call, question));
}

/** True if a call and a question are about the same tool call. */
export function isSameCall(
  call: Pick<OpenCall, "toolCallId" | "toolName">,
  question: Pick<RecordedAnswer["question"], "toolCallId" | "toolName">,
): boolean {
  return call.toolCallId === question.toolCallId && call.toolName === question.toolName;
}
