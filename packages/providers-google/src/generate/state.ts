import { isJsonObject, jsonText } from "@bailiwick/core/provider";
import type { ProviderState } from "@bailiwick/core/provider";

/** The vendor's data of a part, sent back unchanged. */
export interface PartState {
  /** The thought signature of the part. */
  readonly signature?: string | undefined;
  /** The whole part, where this framework has no other form for it. */
  readonly part?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The state of a part or a call.
 *
 * @param item - What may carry some.
 */
export function stateOf({ providerState }: { readonly providerState?: ProviderState | undefined }): PartState {
  if (!isJsonObject(providerState)) return {};
  const { part } = providerState;
  return {
    signature: jsonText(providerState["signature"]) || undefined,
    part: isJsonObject(part) ? part : undefined,
  };
}

/**
 * State as a part carries it; `undefined` if there is none.
 *
 * @param signature - The part's thought signature.
 */
export function signed(signature: string): { readonly providerState?: ProviderState } {
  return signature === "" ? {} : { providerState: { signature } };
}
