import type { GrantArgument } from "@bailiwick/core";
import type { CallView } from "./call-view.ts";
import type { Finding } from "./findings.ts";
import type { FindTool } from "./flow-state.ts";
import { matchGrant, openGrants, type Match, type OpenGrant } from "./grants.ts";
import { isSteered, type Lookups } from "./steered-lookup.ts";
import type { ReferredCalls } from "./references.ts";
import { authorityRule } from "./r3-authority.ts";
import { confidentialityRule, grantLiftsConfidentiality } from "./r4-confidentiality.ts";
import { egressRule } from "./r5-egress.ts";
import { reachOf } from "./reach.ts";
import { isTrusted } from "./trusted.ts";

/** Decision of the rules about one call. */
export interface Ruling {
  readonly verdict: "allow" | "ask" | "deny";
  /** The first rule that refuses it, or the rule that allowed it. */
  readonly rule: string;
  /** Objections that remain after grants. */
  readonly findings: readonly Finding[];
  /** The grant that allowed the call against a rule. */
  readonly grant?: OpenGrant | undefined;
  /** A grant that covers the call, but does not lift every refusal. */
  readonly nearest?: OpenGrant | undefined;
  /** The grant for this tool of which the most arguments fit, and the reason why it does not cover the call. */
  readonly missed?: MissedGrant | undefined;
  /** The form that one argument would need for a grant of the planner to cover the call. */
  readonly form?: { readonly path: string; readonly argument: GrantArgument } | undefined;
}

/** A grant for the tool of a call that does not cover it. */
interface MissedGrant {
  readonly grant: OpenGrant;
  readonly miss: Extract<Match, { matches: false }>;
}

/** Decides one call: the rules in order, then the grants. A pure function of the call and the state. */
export function decideCall(call: CallView, findTool: FindTool): Ruling {
  if (isPlainRead(call)) return { verdict: "allow", rule: "R1", findings: [] };
  const findings = standingAgainst(call);
  const denied = findings.find(({ verdict }) => verdict === "deny");
  if (denied !== undefined) return { verdict: "deny", rule: denied.rule, findings };
  const [first] = findings;
  if (first === undefined) return { verdict: "allow", rule: passedRule(call), findings };
  let nearest: { readonly grant: OpenGrant; readonly left: readonly Finding[] } | undefined;
  let form: Ruling["form"];
  let missed: MissedGrant | undefined;
  const lookups: Lookups = { state: call.state, findTool, isGrave: call.roles.grave, judged: new Map() };
  const referred: ReferredCalls = {
    calls: [...call.state.calls.values()],
    findTool,
    isSteered: (read, reference) => isSteered(read, reference, lookups),
  };
  const reach = reachOf(call, findTool);
  for (const grant of openGrants(call.state, call.id)) {
    const match = matchGrant(
      grant.grant,
      {
        toolName: call.tool.name,
        args: call.args,
        leaves: call.leaves,
        roles: call.roles,
        onlyUserReads: isReadByUserOnly(call),
        // A developer's grant lists every argument.
        ...(grant.source === "planner" && { reach }),
      },
      referred,
    );
    if (!match.matches) {
      // [grants.correction] A developer's grant may hold a private list.
      if (grant.source === "planner") form ??= match.form;
      if (match.fits !== undefined && match.fits > (missed?.miss.fits ?? -1)) missed = { grant, miss: match };
      continue;
    }
    const left = findings.filter((finding) => !lifts(call, finding, grant, match, findTool));
    if (left.length === 0) return { verdict: "allow", rule: first.rule, findings: [], grant };
    // A rule that it does not lift is not lifted by another grant that covers the call and does not lift every refusal.
    nearest ??= { grant, left };
  }
  const left = nearest?.left ?? findings;
  const [stands = first] = left;
  return {
    verdict: "ask",
    rule: stands.rule,
    findings: left,
    nearest: nearest?.grant,
    ...(nearest === undefined && { form, missed }),
  };
}

/** All rules that refuse a gated call in its current form. */
function standingAgainst(call: CallView): readonly Finding[] {
  return [...controlRule(call), ...authorityRule(call), ...egressRule(call), ...confidentialityRule(call)];
}

/**
 * A matching grant permits the effect (R2), its target (R3) and its destination (R5); for confidentiality it must say
 * more.
 */
function lifts(
  call: CallView,
  finding: Finding,
  grant: OpenGrant,
  match: Extract<Match, { matches: true }>,
  findTool: FindTool,
): boolean {
  return finding.rule !== "R4" || grantLiftsConfidentiality(call, grant.grant, match, findTool);
}

/** The rule that allowed a call without a finding. */
function passedRule(call: CallView): string {
  return call.roles.writer ? "R3" : call.roles.remoteRead ? "R4" : "R5";
}

/**
 * Tells if the readers of the data that a call sends are the run's own principals, or the tool's own first-party
 * system.
 */
function isReadByUserOnly(call: CallView): boolean {
  const { sets } = call.state.graph;
  return sets.covers(sets.intern([...call.state.principals, "source:first-party"]), call.sinkReaders);
}

/** [flow.r1] A read without an egress argument is allowed: it has no sink. */
function isPlainRead(call: CallView): boolean {
  return call.sink === "open";
}

/** [flow.r2] Once the model has read untrusted content, a call needs a grant or an approval. */
function controlRule(call: CallView): readonly Finding[] {
  if (isEgressRead(call)) return [];
  return isTrusted(call.level.control) ? [] : [{ rule: "R2", verdict: "ask" }];
}

/** [flow.r5.reads] A read that is gated for where its bytes go: R5 decides instead of R2 and R3. */
function isEgressRead(call: CallView): boolean {
  return !call.roles.writer && !call.roles.declaresAuthority;
}
