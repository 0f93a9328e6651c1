import type { ScriptRequest } from "../script/script-request.ts";
import type { IssuedMemory } from "./issued-memory.ts";
import type { JsonObject } from "./json.ts";
import type { ChatServer } from "./chat-server.ts";
import type { ModelServerWire } from "./wire-name.ts";
import type { WireError } from "./wire-error.ts";

/** The facts that a refusal checks. */
export interface RefusalContext {
  readonly body: JsonObject;
  readonly request: ScriptRequest;
  readonly headers: Readonly<Record<string, string>>;
  /** The key that came with the request. */
  readonly key: string | undefined;
  /** Keys that are valid; `undefined`: any. */
  readonly keys: readonly string[] | undefined;
  /** Models that exist; `undefined` accepts any model. */
  readonly models: readonly string[] | undefined;
  readonly memory: IssuedMemory;
}

/** One refusal of a vendor. */
export interface Refusal {
  /** Stable name, `<vendor>.<what>`; for {@link ModelServerOptions} `allow`. */
  readonly id: string;
  /** Wire formats to which the refusal applies. */
  readonly wires: readonly ModelServerWire[];
  /** The Chat Completions servers with this refusal. Default: every server. */
  readonly servers?: readonly ChatServer[] | undefined;
  /** The condition, in a sentence. */
  readonly when: string;
  /** The vendor's page that documents it. */
  readonly source: string;
  /** The vendor's error when the request meets the condition. */
  readonly find: (context: RefusalContext) => WireError | undefined;
}
