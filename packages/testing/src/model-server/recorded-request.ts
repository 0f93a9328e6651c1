import type { ModelServerWire } from "./wire-name.ts";

/** A request that a server received. */
export interface RecordedRequest {
  /** Wire of the request; `unknown` if no path matched. */
  readonly wire: ModelServerWire | "unknown";
  /** HTTP method. */
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, parsed; `undefined` when it is not JSON. */
  readonly body: unknown;
  /** The original body. */
  readonly text: string;
  /** True if the client disconnected before the answer was complete. */
  readonly aborted: boolean;
  /** The refusal that answered it, if one did. */
  readonly refusedBy: string | undefined;
  /** The error in the script, if any: the client got a 400 with its message. */
  readonly failure: Error | undefined;
}
