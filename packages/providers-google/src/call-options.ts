import { isJsonObject, unsupportedSetting } from "@bailiwick/core/provider";
import type { ModelRequest, Warning } from "@bailiwick/core/provider";
import type { ModelContext } from "./model-context.ts";
import type { GoogleCallOptions } from "./options.ts";
import { samplingFor } from "./settings.ts";

type Name = keyof GoogleCallOptions;

/** Settings that are in `generationConfig`, under the same names. */
const inGenerationConfig: ReadonlySet<string> = new Set<Name>([
  "seed",
  "presencePenalty",
  "frequencyPenalty",
  "responseLogprobs",
  "logprobs",
  "responseModalities",
  "imageConfig",
  "speechConfig",
  "mediaResolution",
]);
/** Settings that are in the body, under the same names. */
const inBody: ReadonlySet<string> = new Set<Name>(["safetySettings", "cachedContent", "serviceTier"]);
/** Read where the request is built. */
const placed: ReadonlySet<string> = new Set<Name>(["retrievalConfig", "streamFunctionCallArguments", "extraBody"]);

/** The vendor's settings of a call, as given. */
export function callOptions(request: ModelRequest): GoogleCallOptions {
  return request.providerOptions?.["google"] ?? {};
}

/** The vendor's settings by their place in the request; a setting that this API lacks gives a warning. */
export function callFields(
  options: GoogleCallOptions,
  context: ModelContext,
  warnings: Warning[],
): { readonly config: Readonly<Record<string, unknown>>; readonly body: Readonly<Record<string, unknown>> } {
  const config: Record<string, unknown> = {};
  const body: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined || placed.has(key)) continue;
    if (key === "topK") Object.assign(config, samplingFor(key, options.topK, context, warnings));
    else if (inGenerationConfig.has(key)) config[key] = value;
    else if (inBody.has(key)) body[key] = value;
    else if (key === "labels" && context.api === "vertex") body[key] = value;
    else if (key === "labels") warnings.push(unsupportedSetting(key, "only Vertex AI has labels."));
    else warnings.push(unsupportedSetting(key, 'there is no such setting. "extraBody" sends fields unchecked.'));
  }
  return { config, body };
}

/** A body overridden by `extraBody`; settings in its `generationConfig` are merged. */
export function withExtraBody(
  body: Readonly<Record<string, unknown>>,
  { extraBody }: GoogleCallOptions,
): Readonly<Record<string, unknown>> {
  if (extraBody === undefined) return body;
  const [own, extra] = [body["generationConfig"], extraBody["generationConfig"]];
  const merged = isJsonObject(own) && isJsonObject(extra) ? { generationConfig: { ...own, ...extra } } : {};
  return { ...body, ...extraBody, ...merged };
}
