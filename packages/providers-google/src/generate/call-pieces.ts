import { isJsonObject, jsonObjects, jsonText } from "@bailiwick/core/provider";
import { openText, setAt } from "./partial-arguments.ts";
import type { WirePart } from "./wire-part.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A call whose arguments arrive in pieces. */
export interface OpenCall {
  /** The part, whose call has the arguments that have arrived. */
  readonly part: WirePart & { readonly functionCall: { args: Record<string, unknown> } };
  readonly callId: string;
  /** JSON of the arguments that has been shown. */
  shown: string;
  /** True if the vendor announced more of the call. */
  continues: boolean;
  /** Paths of texts that continue. */
  readonly openPaths: Set<string>;
}

/** True if a part begins a call whose arguments arrive in pieces: Vertex AI sends them on request. */
export function beginsInPieces(call: Fields): boolean {
  return jsonText(call["name"]) !== "" && (call["partialArgs"] !== undefined || call["willContinue"] === true);
}

/** True if a part continues or ends the call before it: only the first piece of a call has a name. */
export function isPiece(call: Fields): boolean {
  return jsonText(call["name"]) === "";
}

/**
 * Begins a call.
 *
 * @param part - Its first part.
 * @param callId - Its id.
 */
export function openCall(part: WirePart, callId: string): OpenCall {
  const call = part["functionCall"] as Fields;
  const { partialArgs: _pieces, willContinue: _continues, args, ...head } = call;
  return {
    part: { ...part, functionCall: { ...head, args: isJsonObject(args) ? structuredClone(args) : {} } },
    callId,
    shown: "",
    continues: true,
    openPaths: new Set(),
  };
}

/**
 * Adds the arguments of a piece.
 *
 * @param open - The call.
 * @param call - The piece.
 * @returns False if the piece cannot be read: then the call is broken.
 */
export function addPiece(open: OpenCall, call: Fields): boolean {
  for (const argument of jsonObjects(call["partialArgs"])) if (!addArgument(open, argument)) return false;
  open.continues = call["willContinue"] === true || open.openPaths.size > 0;
  return true;
}

function addArgument({ part, openPaths }: OpenCall, argument: Fields): boolean {
  const path = jsonText(argument["jsonPath"]);
  const continues = argument["willContinue"] === true;
  const value = valueOf(argument);
  // A place may be announced before its value arrives.
  const known = value === undefined ? continues : setAt(part.functionCall.args, path, value, openPaths.has(path));
  if (continues && typeof value === "string") openPaths.add(path);
  else if (!continues) openPaths.delete(path);
  return known || openPaths.has(path) || (value === undefined && wasEnded(argument));
}

/** A piece without a value ends the text at its path. */
function wasEnded(argument: Fields): boolean {
  return Object.keys(argument).every((key) => key === "jsonPath" || key === "willContinue");
}

function valueOf(argument: Fields): unknown {
  if (typeof argument["stringValue"] === "string") return argument["stringValue"];
  if (typeof argument["numberValue"] === "number") return argument["numberValue"];
  if (typeof argument["boolValue"] === "boolean") return argument["boolValue"];
  return "nullValue" in argument ? null : undefined;
}

/**
 * The part of the arguments' JSON that has not been shown, and will not change.
 *
 * @param open - The call.
 * @param ended - True if no more will arrive.
 */
export function newText(open: OpenCall, ended: boolean): string {
  const whole = JSON.stringify(open.part.functionCall.args);
  const text = ended ? whole : openText(whole);
  if (!text.startsWith(open.shown)) return "";
  const added = text.slice(open.shown.length);
  open.shown = text;
  return added;
}
