import type { ResolvedTurn } from "../script/resolved-turn.ts";
import type { ResolvedUsage } from "../script/estimate-usage.ts";
import type { ScriptRequest } from "../script/script-request.ts";
import type { VendorIds } from "../script/vendor-ids.ts";
import type { IssuedMemory } from "./issued-memory.ts";
import type { JsonObject } from "./json.ts";
import type { Refusal } from "./refusal.ts";
import type { WireError } from "./wire-error.ts";
import type { ModelServerWire } from "./wire-name.ts";

/** Reasoning in Chat Completions: OpenAI hides it, compatible servers send it in their own field. */
export type ChatReasoningField = "hidden" | "reasoning_content" | "reasoning";

/** The information in the path of a request. */
export interface WireRoute {
  /** The model, where the path names it. */
  readonly model?: string | undefined;
  /** True if the path, not the body, asks for a stream. */
  readonly stream?: boolean | undefined;
}

/** One frame of a stream. */
export interface WireEvent {
  /** The SSE event name, if the vendor sends one. */
  readonly event?: string | undefined;
  /** The data line: an object is sent as JSON. */
  readonly data: JsonObject | string;
  /** True if this frame belongs to the end of the answer: left out by the fault `omitTerminal`. */
  readonly terminal?: boolean | undefined;
}

/** Everything that an encoder needs. */
export interface Answer {
  readonly request: ScriptRequest;
  readonly body: JsonObject;
  readonly turn: ResolvedTurn;
  readonly usage: ResolvedUsage;
  readonly ids: VendorIds;
  readonly memory: IssuedMemory;
  /** Seconds since the epoch. */
  readonly createdAt: number;
  readonly chatReasoning: ChatReasoningField;
}

/** An HTTP error answer, ready to send. */
export interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** One vendor's wire: functions to read, refuse and write. */
export interface Wire {
  readonly name: ModelServerWire;
  /** True if a request is this wire's. */
  match(method: string, url: URL): WireRoute | undefined;
  /** The key that came with the request. */
  key(headers: Readonly<Record<string, string>>, url: URL): string | undefined;
  decode(body: JsonObject, route: WireRoute, memory: IssuedMemory): ScriptRequest;
  readonly refusals: readonly Refusal[];
  /** A setting that the vendor accepts but this server cannot play, if the body has one. */
  unplayable(body: JsonObject): string | undefined;
  encodeJson(answer: Answer): JsonObject;
  encodeStream(answer: Answer): readonly WireEvent[];
  /** Headers that every answer of this vendor has. */
  headers(ids: VendorIds): Readonly<Record<string, string>>;
  errorResponse(error: WireError): ErrorResponse;
  /** An error inside a stream that began with 200, after the events before it. */
  errorEvents(error: WireError, before: readonly WireEvent[]): readonly WireEvent[];
}
