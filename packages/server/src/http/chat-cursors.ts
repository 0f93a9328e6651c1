import type { ChatCursor } from "../chat/chat-turns.ts";
import type { ListCursor } from "../chat/list-chats.ts";
import { invalid } from "./request-error.ts";

/** A place in a history as the text that a client sends back. */
export const historyCursor = ({ position, time }: ChatCursor): string =>
  `${position}-${Number.isFinite(time) ? time : ""}`;

/** A place in the list of chats as the text that a client sends back. */
export const listCursor = ({ id, updatedAt }: ListCursor): string => `${updatedAt}-${id}`;

/** @throws RequestError `INVALID_REQUEST` */
export function readHistoryCursor(text: string | undefined): ChatCursor | undefined {
  if (text === undefined) return undefined;
  const [, position, time] = /^(\d{1,15})-(\d{0,15})$/u.exec(text) ?? unknownPlace();
  return { position: Number(position), time: time === "" ? Infinity : Number(time) };
}

/** @throws RequestError `INVALID_REQUEST` */
export function readListCursor(text: string | undefined): ListCursor | undefined {
  if (text === undefined) return undefined;
  const [, updatedAt, id = ""] = /^(\d{1,15})-(.+)$/su.exec(text) ?? unknownPlace();
  return { id, updatedAt: Number(updatedAt) };
}

function unknownPlace(): never {
  throw invalid('"before" has to be the "older" of another page.');
}
