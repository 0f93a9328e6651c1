import type { Decision } from "../../contracts/interruption.ts";
import { SealKeyMissingError } from "../../errors/configuration-errors.ts";
import { fail } from "./call.ts";
import type { PipelineCall } from "./call.ts";
import type { Agent } from "../run.ts";

/** Refuses a call whose arguments hold a known secret, where nothing could keep them for approval. */
export function refuseUnsealed(call: PipelineCall): void {
  const { toolName, run } = call;
  run.logger.warn(
    `A call of "${toolName}" in run ${run.runId} was refused: its arguments hold a known secret. To let people approve such calls, give Agent({ keys: { seal } }).`,
  );
  fail(
    call,
    "policy_denied",
    `The arguments of "${toolName}" hold a known secret, which needs keys.seal and an approval. Nothing ran. Call the tool without it: a tool reads its secrets by itself.`,
    { code: "SEAL_KEY_MISSING", recoverable: true, recoveryHint: "check_input" },
  );
}

/** Refuses a call whose arguments the model wrote with a known secret in them, where no person is asked about it. */
export function refuseUnasked(call: PipelineCall): void {
  if (call.state.exact === undefined) return;
  fail(
    call,
    "policy_denied",
    `The arguments of "${call.toolName}" hold a known secret, and no person can approve it. Nothing ran. Call the tool without it: a tool reads its secrets by itself.`,
    { code: "SECRET_IN_ARGUMENTS", recoverable: true, recoveryHint: "check_input" },
  );
}

/** True if a person's decision contains a known secret in the arguments of a tool. */
export function holdsSecret({ secrets }: Agent, decision: Decision): boolean {
  if (secrets === undefined) return false;
  if (decision.type === "approve") return decision.args !== undefined && secrets.holdsSecret(decision.args);
  return decision.type === "answer" && secrets.holdsSecret(decision.value);
}

/**
 * Refuses a decision whose arguments or answer hold a known secret, where they could be read in the journal.
 *
 * @throws SealKeyMissingError; nothing changed, and the question stays open.
 */
export function checkSealable(agent: Agent, runId: string, decision: Decision): void {
  if (agent.sealer !== undefined || !holdsSecret(agent, decision)) return;
  throw new SealKeyMissingError(
    `The decision "${decision.id}" holds a known secret, which could be read in the journal of run "${runId}": there is no key to seal it with. Set Agent({ keys: { seal } }), or leave the secret out: a tool reads its secrets by itself. Nothing changed; the question stays open.`,
    { runId },
  );
}

/**
 * Applies a decision of a person who edited the arguments as shown: a value that was left as shown, without its
 * secret, keeps the model's original.
 *
 * @param original - The call's own arguments.
 */
export function meantDecision(agent: Holder, decision: Decision, original: unknown): Decision {
  if (decision.type !== "approve" || decision.args === undefined) return decision;
  const args = meantArguments(agent, decision.args, original);
  return args === decision.args ? decision : { ...decision, args };
}

type Holder = Pick<Agent, "secrets" | "sanitizer">;

function meantArguments(agent: Holder, edited: unknown, original: unknown): unknown {
  const { secrets, sanitizer } = agent;
  if (secrets === undefined || edited === original || !secrets.holdsSecret(original)) return edited;
  if (typeof original === "string") {
    const scrubbed = secrets.scrub(original);
    return edited === (sanitizer === undefined ? scrubbed : sanitizer.display(scrubbed)) ? original : edited;
  }
  if (!isObject(edited) || !isObject(original) || Array.isArray(edited) !== Array.isArray(original)) return edited;
  if (Array.isArray(edited))
    return edited.map((item: unknown, index) => meantArguments(agent, item, (original as unknown as unknown[])[index]));
  return Object.fromEntries(
    Object.entries(edited).map(([key, value]) => [
      key,
      Object.hasOwn(original, key) ? meantArguments(agent, value, original[key]) : value,
    ]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
