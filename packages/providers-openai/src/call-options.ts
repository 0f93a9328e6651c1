import { ConfigurationError, unsupportedSetting } from "@bailiwick/core/provider";
import type { ModelRequest, Warning } from "@bailiwick/core/provider";
import type { ModelContext } from "./model-context.ts";
import type { OpenAICallOptions } from "./options.ts";

type Names = readonly (keyof OpenAICallOptions)[];

const both: Names = [
  "serviceTier",
  "promptCacheKey",
  "promptCacheRetention",
  "safetyIdentifier",
  "metadata",
  "store",
  "topLogprobs",
];
/** Options that become a field of the body, under the option's name in the vendor's spelling. */
const names: Readonly<Record<ModelContext["api"], Names>> = {
  responses: [...both, "truncation", "contextManagement", "maxToolCalls"],
  chat: [
    ...both,
    "verbosity",
    "seed",
    "frequencyPenalty",
    "presencePenalty",
    "logitBias",
    "prediction",
    "modalities",
    "audio",
  ],
};
/** Options that the request builder places inside other settings. */
const placed: Readonly<Record<ModelContext["api"], ReadonlySet<string>>> = {
  responses: new Set(["verbosity", "include", "background", "extraBody"]),
  chat: new Set(["extraBody"]),
};
const refusedByReasoning = new Set(["topLogprobs", "frequencyPenalty", "presencePenalty", "logitBias"]);

/**
 * The vendor's settings of a call, as given.
 *
 * @param request - The request.
 * @param context - The model.
 * @throws ConfigurationError `INVALID_OPTION` if a field is set that the server ignores.
 */
export function callOptions(request: ModelRequest, { compat }: ModelContext): OpenAICallOptions {
  const options: OpenAICallOptions = request.providerOptions?.[compat.provider] ?? {};
  for (const [name, instead] of Object.entries(compat.ignoredFields ?? {})) {
    if (!isSet(options, name) && !isSet(options.extraBody, name)) continue;
    throw new ConfigurationError("INVALID_OPTION", `${compat.provider} ignores "${name}" in this API. ${instead}`);
  }
  return options;
}

function isSet(fields: object | undefined, name: string): boolean {
  return fields !== undefined && (fields as Readonly<Record<string, unknown>>)[name] !== undefined;
}

/** The vendor's settings as fields of the body; a setting that this API lacks gives a warning. */
export function callFields(
  options: OpenAICallOptions,
  { api, modelId, traits }: ModelContext,
  warnings: Warning[],
): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined || placed[api].has(key)) continue;
    if (!names[api].some((name) => name === key)) {
      warnings.push(unsupportedSetting(key, `api: "${api}" has no such setting. "extraBody" sends fields unchecked.`));
    } else if (traits.reasons && refusedByReasoning.has(key)) {
      warnings.push(unsupportedSetting(key, `the reasoning model ${modelId} does not accept sampling settings.`));
    } else {
      fields[key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] = value;
    }
  }
  if (api === "chat" && "top_logprobs" in fields) fields["logprobs"] = true;
  return fields;
}
