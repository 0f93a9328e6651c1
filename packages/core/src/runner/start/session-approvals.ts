import { isSameOwner } from "../../contracts/owner.ts";
import type { RememberedDecision } from "../../contracts/remembered-decision.ts";
import { readPrefix, reservedStatePrefix } from "../../journal/fold-session-state.ts";
import { isSignedWith, signWith } from "../../journal/sign-keys.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import type { Agent } from "../run.ts";
import type { SessionIdentity } from "../state/session-queue.ts";

const approvalPrefix = `${reservedStatePrefix}approval:`;

/** Content of a session's state: the application's values, and remembered decisions. */
interface OpenedSessionState {
  readonly state: Readonly<Record<string, unknown>>;
  readonly remembered: readonly RememberedDecision[];
  /** Ignored decisions: made for another session, or without a valid signature. */
  readonly refused: number;
}

/** Form of a decision in the state of its session. */
interface KeptDecision extends SessionIdentity {
  readonly decision: RememberedDecision;
  /** HMAC over the rest, with `keys.sign`. */
  readonly mac?: string | undefined;
}

/**
 * Takes remembered decisions out of a session's state. A decision counts only in the session that it was made in, also
 * where a session was copied, and only for the user whose run it was made in, also where a session is shared; with
 * `keys.sign` it must carry a valid signature.
 */
export function openSessionState(
  agent: Agent,
  session: SessionIdentity,
  stored: Readonly<Record<string, unknown>>,
): OpenedSessionState {
  const names = Object.keys(stored);
  if (!names.some((name) => name.startsWith(reservedStatePrefix))) return { state: stored, remembered: [], refused: 0 };
  const kept = names.filter((name) => name.startsWith(approvalPrefix)).map((name) => stored[name]);
  const remembered = kept
    .filter((one): one is KeptDecision => isValid(agent, session, one))
    .map(({ decision }) => decision);
  return {
    state: Object.fromEntries(
      Object.entries(stored).filter(([name]) => name.startsWith(readPrefix) || !name.startsWith(reservedStatePrefix)),
    ),
    remembered: remembered.toSorted((a, b) => a.at - b.at),
    refused: kept.length - remembered.length,
  };
}

/**
 * The framework's part of the session state: labels of models' input, and decisions that people made for later calls
 * too. Each decision has its own key, so that two runs lose none.
 */
export function closeSessionState(
  agent: Agent,
  { sessionId, tenantId, userId }: SessionIdentity,
  state: Readonly<Record<string, unknown>>,
  remembered: readonly RememberedDecision[],
): Readonly<Record<string, unknown>> {
  const { hasher, secrets } = agent;
  // Other keys were saved before: see SessionState.
  const closed: Record<string, unknown> = Object.fromEntries(
    Object.entries(state).filter(([name]) => name.startsWith(readPrefix)),
  );
  for (const decision of remembered) {
    // Arguments with a secret are not stored with a session: such a call needs a new approval.
    if (secrets?.holdsSecret(decision.flowArgs) === true) continue;
    const { toolName, definitionHash, argsHash, flowArgs } = decision;
    const place = hasher
      .sha256(canonicalJson([toolName, definitionHash, argsHash ?? null, flowArgs ?? null]))
      .slice(0, 32);
    const kept: KeptDecision = { sessionId, tenantId, userId, decision };
    const mac = signWith(hasher, agent.options.keys?.sign, textOf(kept));
    closed[`${approvalPrefix}${place}`] = { ...kept, mac };
  }
  return closed;
}

function isValid(agent: Agent, session: SessionIdentity, value: unknown): value is KeptDecision {
  if (typeof value !== "object" || value === null) return false;
  const kept = value as Partial<KeptDecision>;
  const { decision } = kept;
  if (kept.sessionId !== session.sessionId || !isSameOwner(kept, session)) return false;
  if (
    typeof decision?.toolName !== "string" ||
    typeof decision.definitionHash !== "string" ||
    typeof decision.approved !== "boolean"
  )
    return false;
  const { hasher, options } = agent;
  const key = options.keys?.sign;
  if (key === undefined) return kept.mac === undefined;
  return kept.mac !== undefined && isSignedWith(hasher, key, textOf(kept as KeptDecision), kept.mac);
}

/** Content that the signature of a remembered decision covers. */
function textOf({ sessionId, tenantId, userId, decision }: KeptDecision): string {
  const owner = { tenantId: tenantId ?? null, ...(userId !== undefined && { userId }) };
  return canonicalJson({ type: "session-approval", sessionId, ...owner, decision });
}
