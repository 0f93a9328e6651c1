import type { Message, RebuiltRequest } from "@bailiwick/core";
import type { StudioModelRequest } from "./view-types.ts";

type Change = StudioModelRequest["compiled"][number];

/** A rebuilt request as the page shows it, with its parts in the order in which people look for them. */
export function modelRequestOf(rebuilt: RebuiltRequest): StudioModelRequest {
  const { request, hash, recordedHash, changed, given, warnings } = rebuilt;
  const { messages, tools = [], ...settings } = request;
  const { system, rest } = withoutSystem(messages);
  return {
    exact: hash === recordedHash,
    changed,
    system,
    messages: rest,
    tools,
    settings: Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)),
    compiled: changesOf(given, messages),
    warnings: warnings.map(({ message }) => message),
  };
}

function withoutSystem(messages: readonly Message[]): { readonly system: string; readonly rest: readonly Message[] } {
  const [first, ...rest] = messages;
  return first?.role === "system" ? { system: first.content, rest } : { system: "", rest: messages };
}

/** Messages that the compiler changed, added or left out. */
function changesOf(given: readonly Message[], sent: readonly Message[]): readonly Change[] {
  const before = new Map(given.map((message) => [message.id, message]));
  const after = new Map(sent.map((message) => [message.id, message]));
  const left = given
    .filter(({ id }) => !after.has(id))
    .map((message): Change => ({ role: message.role, before: message }));
  const differing = sent.flatMap((message): readonly Change[] => {
    const known = before.get(message.id);
    if (known === undefined) return [{ role: message.role, after: message }];
    return JSON.stringify(known) === JSON.stringify(message)
      ? []
      : [{ role: message.role, before: known, after: message }];
  });
  return [...left, ...differing];
}
