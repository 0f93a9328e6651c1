import type { CallView } from "./call-view.ts";
import type { Finding } from "./findings.ts";
import { isTrusted } from "./trusted.ts";
import type { ArgumentLeaf } from "./argument-leaves.ts";

/**
 * [flow.r3] An authority argument passes if everything that the model had read was `verified` or better. A literal
 * never regains trust because it also occurs in the prompt, and leaves that spare the control label do not spare this
 * one.
 */
export function authorityRule(call: CallView): readonly Finding[] {
  if (isTrusted(call.level.integrity)) return [];
  return (
    authorityLeaves(call)
      // [flow.r5.reads] R5 decides the destination of a read.
      .filter((leaf) => call.roles.writer || leaf.role !== "egress")
      .map((leaf) => ({ rule: "R3", verdict: "ask", location: leaf.location }))
  );
}

/** The arguments that decide what happens to whom, and the destination of bytes. */
export function authorityLeaves(call: Pick<CallView, "leaves">): readonly ArgumentLeaf[] {
  return call.leaves.filter(
    (leaf) =>
      (leaf.role === "authority" || leaf.role === "egress") && !(leaf.path === "" && typeof leaf.value === "object"),
  );
}
