import type { CallView } from "./call-view.ts";

/** [flow.r1] A read without an egress argument is allowed: it has no sink. */
export function isPlainRead(call: CallView): boolean {
  return call.sink === "open";
}
