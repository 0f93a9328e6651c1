import { unsupportedSetting } from "@bailiwick/core/provider";
import type { ModelRequest, Warning } from "@bailiwick/core/provider";
import type { AnthropicCallOptions } from "./options.ts";

const names: Readonly<Partial<Record<keyof AnthropicCallOptions, string>>> = {
  serviceTier: "service_tier",
  speed: "speed",
  inferenceGeo: "inference_geo",
  contextManagement: "context_management",
};
/** Read where the request is built, since they are inside other settings. */
const placed: ReadonlySet<string> = new Set([
  "betas",
  "effort",
  "topK",
  "userId",
  "cacheTtl",
  "citations",
  "container",
  "extraBody",
] satisfies (keyof AnthropicCallOptions)[]);

/** The vendor's settings of a call, as given. */
export function callOptions(request: ModelRequest): AnthropicCallOptions {
  return request.providerOptions?.["anthropic"] ?? {};
}

/** The vendor's settings as fields of the body; an unknown one gives a warning. */
export function callFields(options: AnthropicCallOptions, warnings: Warning[]): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined || placed.has(key)) continue;
    const name = names[key as keyof AnthropicCallOptions];
    if (name === undefined)
      warnings.push(unsupportedSetting(key, 'there is no such setting. "extraBody" sends fields unchecked.'));
    else fields[name] = value;
  }
  if (options.userId !== undefined) fields["metadata"] = { user_id: options.userId };
  return fields;
}
