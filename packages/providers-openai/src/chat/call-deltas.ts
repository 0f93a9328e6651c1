import { isJsonObject, jsonText } from "@bailiwick/core/provider";
import type { EmitChunk } from "@bailiwick/core/provider";
import { extraOf, type ChatCall } from "./chat-answer.ts";

/** A call while it is streamed. */
interface OpenCall extends ChatCall {
  readonly index: number | undefined;
  /** Whether the vendor gave the id; a made-up one may be replaced while nothing was shown. */
  identified: boolean;
  started: boolean;
}

/**
 * Puts tool calls together from deltas as OpenAI and compatible servers send them: the id only on the first, indices
 * missing or used twice, ids empty, names repeated or late, or the whole call in one delta.
 */
export class CallDeltas {
  readonly #calls: OpenCall[] = [];
  readonly #readName: (name: string) => string;

  constructor(readName: (name: string) => string) {
    this.#readName = readName;
  }

  /** Takes one entry of a delta's `tool_calls`. */
  take(delta: Readonly<Record<string, unknown>>, emit: EmitChunk): void {
    const called = isJsonObject(delta["function"])
      ? delta["function"]
      : isJsonObject(delta["custom"])
        ? delta["custom"]
        : {};
    const index = typeof delta["index"] === "number" ? delta["index"] : undefined;
    const id = jsonText(delta["id"]);
    const name = jsonText(called["name"]);
    const written = called["arguments"] ?? called["input"];
    const text = typeof written === "string" ? written : written == null ? "" : JSON.stringify(written);
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

  /** Says that every call is complete: only the end of the answer tells. */
  end(emit: EmitChunk): void {
    for (const call of this.#calls) if (call.started) emit({ type: "tool_call_end", toolCallId: call.id });
  }

  /** The calls in order. One that never got a name is none. */
  calls(): ChatCall[] {
    return this.#calls
      .filter(({ name }) => name !== "")
      .map(({ id, name, arguments: text, extra }) => ({ id, name, arguments: text, extra }));
  }

  /** Whether anything was shown. */
  get shown(): boolean {
    return this.#calls.some(({ started }) => started);
  }

  #continued(index: number | undefined, id: string, name: string, text: string): OpenCall | undefined {
    if (id !== "") {
      const same = this.#calls.findLast((call) => call.identified && call.id === id);
      if (same !== undefined && (index === undefined || same.index === undefined || same.index === index)) return same;
    }
    const call = index === undefined ? this.#calls.at(-1) : this.#calls.findLast((open) => open.index === index);
    if (call === undefined) return undefined;
    if (id !== "" && call.identified) return undefined;
    if (id !== "" && index === undefined) return undefined;
    // Without ids only arguments that begin anew behind whole ones tell that an index is used again.
    const begins = name !== "" && text.trimStart().startsWith("{");
    const isAnother = id === "" && begins && call.name !== "" && isJson(call.arguments);
    return isAnother ? undefined : call;
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

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
