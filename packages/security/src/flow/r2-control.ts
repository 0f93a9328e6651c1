import type { CallView } from "./call-view.ts";
import type { Finding } from "./findings.ts";
import { isTrusted } from "./trusted.ts";

/** [flow.r2] Once the planner has read untrusted content, a call needs a grant or an approval. */
export function controlRule(call: CallView): readonly Finding[] {
  if (isEgressRead(call)) return [];
  return isTrusted(call.level.control) ? [] : [{ rule: "R2", verdict: "ask" }];
}

/** [flow.r5.reads] A read that is gated for where its bytes go: R5 decides instead of R2 and R3. */
function isEgressRead(call: CallView): boolean {
  return !call.roles.writer && !call.roles.declaresAuthority;
}
