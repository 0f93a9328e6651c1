import type { CallView } from "./call-view.ts";
import type { Finding } from "./findings.ts";
import type { FlowState } from "./flow-state.ts";

/** [flow.r5.reads] The egress arguments of a read: verbatim in a user message, or granted, or approved. */
export function egressRule(call: CallView): readonly Finding[] {
  if (call.roles.writer) return [];
  return call.leaves
    .filter((leaf) => leaf.role === "egress" && !isUsersWord(leaf.value, call.state))
    .map((leaf) => ({ rule: "R5", verdict: "ask", location: leaf.location }));
}

/** True if a text occurs verbatim in a user message as a whole word, not as a part of a longer address. */
export function isUsersWord(value: unknown, state: Pick<FlowState, "userWords">): boolean {
  if (typeof value !== "string" || value.length < 4) return false;
  return state.userWords.some(({ texts }) => texts.some((text) => occursIn(value, text)));
}

/** True if a text occurs in another, with nothing adjacent that could belong to it. */
export function occursIn(value: string, text: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at);
    const after = text.slice(at + value.length, at + value.length + 2);
    if (
      !/[\p{L}\p{N}_~%/?#&=@:+.\-\\]$/u.test(before) &&
      !/^(?:[\p{L}\p{N}_~%/?#&=@:+\-\\]|[.,;!?][\p{L}\p{N}_~%/#&=@-])/u.test(after)
    )
      return true;
  }
  return false;
}
