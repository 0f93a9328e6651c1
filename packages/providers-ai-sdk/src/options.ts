import type { Logger, ModelCapabilities } from "@bailiwick/core/provider";

/** Settings of {@link aiSdk}. */
export interface AiSdkOptions {
  /** Capabilities of the model, if the bridge does not know its vendor or the vendor has changed. */
  readonly capabilities?: Partial<ModelCapabilities> | undefined;
  /** Receives a debug line for each stream part that this version does not know. */
  readonly logger?: Logger | undefined;
}

/** The compiler checks that every option is listed here: an unlisted one would be refused as unknown. */
const names: { readonly [Name in keyof Required<AiSdkOptions>]: true } = { capabilities: true, logger: true };

/** Names of the options of a model. */
export const optionNames: readonly string[] = Object.keys(names);
