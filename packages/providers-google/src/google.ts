import {
  checkBaseURL,
  checkKnownNames,
  checkModelId,
  checkTimeout,
  unreadableState,
  type ModelProvider,
} from "@bailiwick/core/provider";
import { knowModel } from "./capabilities.ts";
import { createClient } from "./client.ts";
import { generateModel } from "./generate/generate-model.ts";
import { withoutSignatures } from "./generate/without-signatures.ts";
import type { ModelContext } from "./model-context.ts";
import { optionNames, type GoogleOptions } from "./options.ts";

/**
 * A Gemini model, over the Gemini API or, with `vertexai`, over Vertex AI. No request is sent before the first call.
 *
 * @param modelId - The model's id, such as `gemini-3-pro`. An unknown id is treated as the newest kind.
 * @param options - The model's address and capabilities.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION` for an invalid value, or if the SDK does not accept the
 * options together, such as a `project` without `vertexai`.
 * @example
 * ```ts
 * import { google } from "@bailiwick/providers-google";
 *
 * const model = google("gemini-3-pro");
 * const cloud = google("gemini-3-pro", { vertexai: true, project: "my-project", location: "europe-west4" });
 * console.log(model.api, cloud.api); // "generate" "vertex"
 * ```
 */
export function google(modelId: string, options: GoogleOptions = {}): ModelProvider {
  checkKnownNames(options, optionNames, "google()");
  checkModelId(modelId, "google()");
  checkBaseURL(options.baseURL, "google()", "https://generativelanguage.googleapis.com");
  checkTimeout(options.timeoutMs, "google()");
  const client = createClient(modelId, options);
  const context: ModelContext = {
    modelId,
    api: client.api,
    ...knowModel(modelId, options),
    openApiSchemas: options.openApiSchemas ?? false,
    logger: options.logger,
    unreadable: unreadableState(withoutSignatures),
    messages: new WeakMap(),
    tools: new WeakMap(),
    tool: new WeakMap(),
  };
  return generateModel(context, client);
}
