import { isGatedInside } from "../../registry/resolve-name.ts";
import { namesOfPolicy, type ApprovalPolicy } from "../settings/join-approval.ts";
import type { Batch, PipelineCall } from "./call.ts";

/** True if a policy means the call by its name or kind. A function means no call before it is asked. */
export function isNamed(
  { batch, tool, toolName }: Pick<PipelineCall, "batch" | "tool" | "toolName">,
  policy: ApprovalPolicy,
): boolean {
  // A tool without a declaration here, such as one that the vendor runs, may be any that the policy means.
  if (tool === undefined) return true;
  // The calls of an agent or a program that this framework runs are gated inside.
  if (policy === "all") return !isGatedInside(tool);
  if (policy === "writers") return tool.__isWriter;
  batch.policyNames ??= new Map();
  let names = batch.policyNames.get(policy);
  if (names === undefined) batch.policyNames.set(policy, (names = namesOfPolicy(policy).map(resolvedIn(batch))));
  return names.some((isMeant) => isMeant(toolName));
}

/** Matches tools by a name in a policy. An outer run's policy may name tools that this run does not have. */
function resolvedIn({ run: { catalogue } }: Batch): (name: string) => (toolName: string) => boolean {
  return (name) => {
    try {
      const resolved = catalogue.resolveName(name);
      return (toolName) => toolName === resolved;
    } catch {
      return (toolName) => toolName === name || toolName.endsWith(`_${name}`) || toolName.endsWith(`.${name}`);
    }
  };
}
