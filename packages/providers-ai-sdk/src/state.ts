import type { SharedV4ProviderMetadata } from "@ai-sdk/provider";
import { isJsonObject } from "@bailiwick/core/provider";
import type { JsonValue, ProviderState } from "@bailiwick/core/provider";

/** The vendor's own data of a part, which is sent back unchanged. */
export interface PartState {
  /** `providerMetadata` of the part: signatures, encrypted reasoning, item ids. */
  readonly metadata?: SharedV4ProviderMetadata | undefined;
  /** Kind of a `custom` part, which has only its metadata as content. */
  readonly kind?: string | undefined;
  /** File that the model made while reasoning. */
  readonly file?: { readonly mediaType: string; readonly data?: string | undefined; readonly url?: string | undefined };
}

/**
 * The state of a part or a call.
 *
 * @param item - A part or call that may carry some.
 */
export function stateOf({ providerState }: { readonly providerState?: ProviderState | undefined }): PartState {
  return isJsonObject(providerState) ? providerState : {};
}

/**
 * State as a part stores it; empty if there is none. A JSON copy, because it is journaled.
 *
 * @param state - The vendor's data.
 */
export function withState(state: PartState): { readonly providerState?: ProviderState } {
  const present = Object.entries(state).filter(([, value]) => value !== undefined);
  if (present.length === 0) return {};
  return { providerState: JSON.parse(JSON.stringify(Object.fromEntries(present))) as JsonValue };
}

/**
 * Metadata that is sent back with a part.
 *
 * @param item - A part or call that may carry some.
 */
export function providerOptionsOf(item: { readonly providerState?: ProviderState | undefined }): {
  readonly providerOptions?: SharedV4ProviderMetadata;
} {
  const { metadata } = stateOf(item);
  return metadata === undefined ? {} : { providerOptions: metadata };
}
