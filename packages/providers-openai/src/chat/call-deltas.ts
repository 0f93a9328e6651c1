import { jsonText } from "@bailiwick/core/provider";
import type { EmitChunk } from "@bailiwick/core/provider";
import { extraOf, writtenCall, type ChatCall } from "./chat-answer.ts";

/** A call while it is streamed. */
interface OpenCall extends ChatCall {
  readonly index: number | undefined;
  /** True if the vendor gave the id; a generated one may be replaced until it was shown. */
  identified: boolean;
  started: boolean;
}

/**
 * Assembles tool calls from deltas, as OpenAI and compatible servers send them: the id only on the first, indices
 * missing or used twice, ids empty, names repeated or late, or the whole call in one delta.
 */
export class CallDeltas {
  readonly #calls: OpenCall[] = [];
  readonly #readName: (name: string) => string;

  constructor(readName: (name: string) => string) {
    this.#readName = readName;
  }

  /** Adds one entry of a delta's `tool_calls`. */
  take(delta: Readonly<Record<string, unknown>>, emit: EmitChunk): void {
    const index = typeof delta["index"] === "number" ? delta["index"] : undefined;
    const id = jsonText(delta["id"]);
    const { name, arguments: text } = writtenCall(delta);
    const call = this.#continued(index, id, name, text) ?? this.#begin(index, id);
    if (id !== "" && !call.identified && !call.started) {
      call.id = id;
      call.identified = true;
    }
    if (name !== "" && call.name === "") call.name = name;
    call.extra = extraOf(delta) ?? call.extra;
    const unsent = call.started ? text : call.arguments + text;
    call.arguments += text;
    if (call.name === "") return;
    if (!call.started) {
      call.started = true;
      emit({ type: "tool_call_start", toolCall: { id: call.id, name: this.#readName(call.name) } });
    }
    if (unsent !== "") emit({ type: "tool_call_delta", toolCallId: call.id, argumentsDelta: unsent });
  }

  /** Reports every call as complete: only the end of the answer shows it. */
  end(emit: EmitChunk): void {
    for (const call of this.#calls) if (call.started) emit({ type: "tool_call_end", toolCallId: call.id });
  }

  /** The calls in order, without those that have neither name nor arguments. */
  calls(): ChatCall[] {
    return this.#calls
      .filter(({ name, arguments: text }) => name !== "" || text !== "")
      .map(({ id, name, arguments: text, extra }) => ({ id, name, arguments: text, extra }));
  }

  /** True if anything was shown. */
  get shown(): boolean {
    return this.#calls.some(({ started }) => started);
  }

  /** The call that a piece belongs to; `undefined` if it begins one. */
  #continued(index: number | undefined, id: string, name: string, text: string): OpenCall | undefined {
    const known = id === "" ? undefined : this.#calls.findLast((call) => call.identified && call.id === id);
    if (known !== undefined) return isAnother(known, index, name, text) ? undefined : known;
    const last = this.#calls.at(-1);
    const indexed = index === undefined ? last : this.#calls.findLast((call) => call.index === index);
    if (id !== "") {
      if (indexed === undefined) return undefined;
      if (index !== undefined && !indexed.identified) return indexed;
      // Some servers make a new id for each piece of one call.
      return name === "" && text !== "" && !isJson(indexed.arguments) ? indexed : undefined;
    }
    // A piece without a name belongs to the open call, whatever its index.
    const call = indexed ?? (name === "" ? last : undefined);
    return call === undefined || beginsAnew(call, name, text) ? undefined : call;
  }

  #begin(index: number | undefined, id: string): OpenCall {
    const call: OpenCall = {
      index,
      id: id === "" ? `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}` : id,
      identified: id !== "",
      name: "",
      arguments: "",
      started: false,
    };
    this.#calls.push(call);
    return call;
  }
}

/** Without ids, only arguments that start again after complete ones show that an index is used again. */
function beginsAnew(call: OpenCall, name: string, text: string): boolean {
  return name !== "" && text.trimStart().startsWith("{") && call.name !== "" && isJson(call.arguments);
}

/**
 * A known id has precedence over another index, unless the fragment is a whole head: some servers give two calls one
 * id.
 */
function isAnother(known: OpenCall, index: number | undefined, name: string, text: string): boolean {
  if (index === undefined || known.index === undefined || known.index === index) return false;
  return (name !== "" && text === "") || beginsAnew(known, name, text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
