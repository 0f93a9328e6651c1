import type { ApprovalConfig } from "../../contracts/approval-config.ts";
import type { OnApprovalRequired, AgentOptions } from "../../contracts/run-options.ts";
import type { FieldsOf, InsideContext, Weaker } from "./option-row.ts";
import type { ResolvedTool } from "../../contracts/resolved-tool.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";
import { atLeast, callback, either, oneOf, strings } from "../../errors/value-checks.ts";

export const approvalFields: FieldsOf<ApprovalConfig> = {
  policy: either('is "none", "all", a list of tool names or a function', oneOf(["none", "all"]), strings, callback),
  onApproval: callback,
  timeout: atLeast(1),
  timeoutAction: oneOf(["deny", "throw", "approve"]),
  expiresAfterMs: atLeast(1),
};

/** A policy that demands approvals. `writers` is "all" of an outer run: the inner calls that change something. */
export type ApprovalPolicy = Exclude<ApprovalConfig["policy"], undefined | "none"> | "writers";

/** A function that decides an approval, with the form of its question. */
export type Approver = (
  | { readonly by: "agent"; readonly ask: NonNullable<ApprovalConfig["onApproval"]> }
  | { readonly by: "run"; readonly ask: OnApprovalRequired }
) & {
  /** The outer run that has the approver, and the agents from there to here. */
  readonly outer?: { readonly runId: string; readonly path: readonly string[] } | undefined;
};

/** The approval settings of a run, joined with its run options and those of the outer runs: the innermost first. */
export interface ApprovalChain extends ApprovalConfig {
  /** Each of them may demand an approval. */
  readonly policies: readonly ApprovalPolicy[];
  /** Each of them has to approve. */
  readonly approvers: readonly Approver[];
  /** Policies whose approver is not in this process: a person decides about their calls. A function means every call. */
  readonly byPerson: readonly ApprovalPolicy[];
}

export function asChain(approval: ApprovalConfig | undefined): ApprovalChain {
  const { policy, onApproval, policies, approvers, ...limits } = (approval ?? {}) as Partial<ApprovalChain>;
  return {
    byPerson: [],
    ...limits,
    policies: policies ?? (policy === undefined || policy === "none" ? [] : [policy]),
    approvers: approvers ?? (onApproval === undefined ? [] : [{ by: "agent", ask: onApproval }]),
  };
}

/** Both approvals: the calls of both policies, decided by both approvers, under the stricter limits. */
function joinApproval(
  inner: ApprovalConfig | undefined,
  outer: ApprovalConfig | undefined,
): ApprovalConfig | ApprovalChain | undefined {
  if (inner === undefined || outer === undefined) return inner ?? outer;
  const [first, last] = [asChain(inner), asChain(outer)];
  return {
    policies: [...new Set([...first.policies, ...last.policies])],
    approvers: distinctApprovers([...first.approvers, ...last.approvers]),
    byPerson: [...first.byPerson, ...last.byPerson],
    timeout: smaller(first.timeout, last.timeout),
    timeoutAction: stricterAction(first.timeoutAction, last.timeoutAction),
    expiresAfterMs: smaller(first.expiresAfterMs, last.expiresAfterMs),
  };
}

/** The approval of an agent with that of a run option; limits that the run option loosens are reported. */
export function joinApprovalOfRun(
  agent: ApprovalConfig | undefined,
  run: ApprovalConfig | undefined,
  weaker: Weaker,
): ApprovalConfig | undefined {
  reportLooser(agent, run, weaker);
  return joinApproval(agent, run);
}

function reportLooser(demanded: ApprovalConfig = {}, asked: ApprovalConfig = {}, weaker: Weaker): void {
  for (const name of ["timeout", "expiresAfterMs", "timeoutAction"] as const) {
    const [demand, wish] = [demanded[name], asked[name]];
    if (demand === undefined || wish === undefined) continue;
    const isLooser =
      typeof demand === "number" ? (wish as number) > demand : stricterAction(demand, wish as TimeoutAction) !== wish;
    if (isLooser) weaker(`approval.${name}`, demand, wish);
  }
}

/** The approval of a run, as its inner runs inherit it. */
export function handedApproval(
  approval: ApprovalConfig | undefined,
  run: { readonly runId: string; readonly agentName: string },
): ApprovalChain | undefined {
  if (approval === undefined) return undefined;
  const chain = asChain(approval);
  return {
    ...chain,
    approvers: chain.approvers.map((approver) => ({
      ...approver,
      outer: { runId: approver.outer?.runId ?? run.runId, path: [...(approver.outer?.path ?? []), run.agentName] },
    })),
  };
}

/**
 * The approval of an inner run together with that of the outer run. Programs of code mode make the calls of their
 * agent.
 */
export function joinApprovalInside(
  inner: ApprovalConfig | undefined,
  outer: ApprovalConfig | undefined,
  { role, weaker }: InsideContext,
): ApprovalConfig | undefined {
  reportLooser(outer, inner, weaker);
  if (outer === undefined || role === "program") return joinApproval(inner, outer);
  const chain = asChain(outer);
  const policies = chain.policies.map((policy) => (policy === "all" ? "writers" : policy));
  // A person decides for an outer run that has no approver: the approver of an inner agent cannot do that.
  const byPerson = chain.approvers.length > 0 ? chain.byPerson : [...chain.byPerson, ...policies];
  return joinApproval(inner, { ...chain, policies, byPerson } as ApprovalChain);
}

/** Approval with a run's `onApprovalRequired`, which is called after the agent's own approver. */
export function withRunApprover(
  approval: ApprovalConfig | undefined,
  ask: OnApprovalRequired | undefined,
): ApprovalConfig | undefined {
  if (ask === undefined) return approval;
  const chain = asChain(approval);
  return { ...chain, approvers: distinctApprovers([...chain.approvers, { by: "run", ask }]) } as ApprovalChain;
}

/** Each function once, in its last position: the run that gave it is the outermost that has it. */
function distinctApprovers(approvers: readonly Approver[]): readonly Approver[] {
  return approvers.filter(({ ask }, index) => approvers.findLastIndex((other) => other.ask === ask) === index);
}

type TimeoutAction = NonNullable<ApprovalConfig["timeoutAction"]>;

const actionsByStrictness: readonly TimeoutAction[] = ["approve", "deny", "throw"];

function stricterAction(one: TimeoutAction | undefined, other: TimeoutAction | undefined): TimeoutAction | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return actionsByStrictness.indexOf(one) > actionsByStrictness.indexOf(other) ? one : other;
}

/** The smaller of two limits; `undefined` is not a limit. */
export function smaller(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}

/** The names in an approval policy, as given. */
export function namesOfPolicy(policy: ApprovalPolicy | ApprovalConfig["policy"]): readonly string[] {
  return Array.isArray(policy) ? (policy as readonly string[]) : [];
}

/**
 * Refuses automatic approval on a time-out for tools that change something.
 *
 * @throws ConfigurationError `APPROVE_ON_TIMEOUT`
 */
export function checkTimedApproval(options: Pick<AgentOptions, "approval">, tools: readonly ResolvedTool[]): void {
  if (options.approval?.timeoutAction !== "approve") return;
  const writer = tools.find((tool) => tool.__isWriter);
  if (writer === undefined) return;
  throw new ConfigurationError(
    "APPROVE_ON_TIMEOUT",
    `approval.timeoutAction "approve" would let "${writer.name}", which can change things, run without an answer. Use "deny" or "throw", or declare the tool's sideEffectClass if it only reads.`,
  );
}
