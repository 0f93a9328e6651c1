import type { Message } from "../contracts/message.ts";
import type { Owner } from "../contracts/owner.ts";
import type { SessionAppend } from "../contracts/ports/run-store.ts";
import type { Sealer } from "../contracts/ports/security.ts";
import { sealValue, type Place, type SealedValue } from "./sealed-record.ts";

/** A message whose content can only be read with the key. Stores use its id and role. */
export interface SealedMessage {
  readonly id: string;
  readonly role: Message["role"];
  readonly content: "";
  readonly sealed: SealedValue;
}

/** The place of a sealed value: messages may be copied to other sessions, but not to another tenant. */
export function placeOf(scope: Owner | undefined, kind: "message" | "state", id: string): Place {
  return [kind, scope?.tenantId ?? null, id];
}

/** Seals one message; its id and role stay readable. */
export async function sealMessage(message: Message, sealer: Sealer, scope: Owner | undefined): Promise<Message> {
  const sealed = (await sealValue(message, sealer, placeOf(scope, "message", message.id))) as SealedValue;
  return { id: message.id, role: message.role, content: "", sealed } satisfies SealedMessage as unknown as Message;
}

/** Values of a session by their key. */
export type State = Readonly<Record<string, unknown>>;

/** Maps each value of a state. */
export async function mapState(state: State, map: (value: unknown, key: string) => Promise<unknown>): Promise<State> {
  return Object.fromEntries(
    await Promise.all(Object.entries(state).map(async ([key, value]) => [key, await map(value, key)] as const)),
  );
}

/** Seals the additions to a session; without a sealer they are returned unchanged. */
export async function sealAppend<Append extends Pick<SessionAppend, "messages" | "state">>(
  append: Append,
  sealer: Sealer | undefined,
  scope: Owner | undefined,
): Promise<Append> {
  if (sealer === undefined) return append;
  return {
    ...append,
    messages: await Promise.all(append.messages.map((message) => sealMessage(message, sealer, scope))),
    state: await mapState(append.state, (value, key) => sealValue(value, sealer, placeOf(scope, "state", key))),
  };
}
