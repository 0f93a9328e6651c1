import type { FinishReason } from "./finish-reason.ts";
import type { AssistantMessage } from "./message.ts";
import type { TokenUsage } from "./token-usage.ts";

/** Something that was changed, dropped or noticed without failing the run. */
export interface Warning {
  /** A stable code, such as `unsupported_setting`. */
  readonly code: string;
  /** A sentence that says what happened and what to do. */
  readonly message: string;
  /** The setting, tool or part that it is about. */
  readonly subject?: string | undefined;
}

/** The whole answer of one model call. */
export interface ModelResponse {
  /** The model's answer. */
  readonly message: AssistantMessage;
  /** Tokens of the call. */
  readonly usage: TokenUsage;
  /** Reason why the model stopped. */
  readonly finishReason: FinishReason;
  /** The vendor's own value for why it stopped. */
  readonly rawFinishReason?: string | undefined;
  /** The vendor's answer as received; `undefined` after streaming without `includeRawEvents`. */
  readonly raw: unknown;
  /** The vendor's id of the response. */
  readonly responseId?: string | undefined;
  /** The model that answered, as the vendor names it: `gpt-5.5` may answer as `gpt-5.5-2026-02-01`. */
  readonly responseModel?: string | undefined;
  /** Settings and parts that were changed or left out. */
  readonly warnings: readonly Warning[];
}
