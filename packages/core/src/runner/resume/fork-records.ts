import type { Decision, InterruptionData } from "../../contracts/interruption.ts";
import type { JournalEvent } from "../../contracts/journal-event.ts";
import { movedInside, type ForkOrigin } from "../state/fork-place.ts";
import type { Agent } from "../run.ts";

/**
 * Records of a run, converted for a fork of it. Questions get new names and tokens: a decision about one run decides
 * nothing about the other.
 */
export function movedRecords(
  { hasher, signer }: Pick<Agent, "hasher" | "signer">,
  events: readonly JournalEvent[],
  { runId: from, salts }: ForkOrigin,
  to: string,
): readonly JournalEvent[] {
  const tokens = new Map<string, string | undefined>();
  const named = (id: string): string => salts.reduce((name, salt) => hasher.sha256(`${salt}/${name}`).slice(0, 32), id);

  const asked = (given: InterruptionData): InterruptionData => {
    const { token: _token, ...rest } = { ...given, id: named(given.id), runId: to };
    const token = signer?.sign(rest);
    tokens.set(given.id, token);
    return token === undefined ? rest : { ...rest, token };
  };
  const decided = <Given extends Pick<Decision, "id" | "token">>(given: Given): Given => {
    // The name of a question about a model call contains the run's id.
    if (given.id.startsWith(`${from}/`)) return { ...given, id: `${to}${given.id.slice(from.length)}` };
    if (!tokens.has(given.id)) return given;
    const token = tokens.get(given.id);
    return { ...given, id: named(given.id), ...(token !== undefined && { token }) };
  };
  const nameOf = (id: string): string => decided({ id }).id;

  const content = (event: JournalEvent): JournalEvent => {
    switch (event.type) {
      case "tool.approval.requested":
      case "input.requested":
        return { ...event, interruption: asked(event.interruption) };
      case "child.suspended": {
        const childRunId = movedInside(hasher, event, from, to);
        const spent = event.spent?.map((one) => ({
          ...one,
          ...(one.runId !== undefined && {
            runId: movedInside(hasher, { ...event, childRunId: one.runId }, from, to),
          }),
        }));
        return { ...event, childRunId, interruptions: event.interruptions.map(asked), spent };
      }
      case "tool.approval.decided":
      case "child.decided":
      case "model.decided":
        return { ...event, decision: decided(event.decision) };
      case "tool.intent":
        return event.approvalId === undefined ? event : { ...event, approvalId: nameOf(event.approvalId) };
      case "run.suspended":
        return { ...event, interruptionIds: event.interruptionIds.map(nameOf) };
      case "signal.taken": {
        const { signal } = event;
        if (signal.name !== "decision") return event;
        return { ...event, signal: { ...signal, payload: decided(signal.payload as Decision) } };
      }
      default:
        return event;
    }
  };

  return events.map((event) => {
    const { mac: _mac, ...rest } = content(event);
    return { ...rest, runId: to };
  });
}
