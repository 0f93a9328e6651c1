import { unsupportedSetting, wellFormedJson } from "@bailiwick/core/provider";
import type { ModelRequest, Warning } from "@bailiwick/core/provider";
import { callFields, callOptions, withExtraBody } from "../call-options.ts";
import type { ModelContext } from "../model-context.ts";
import type { GoogleCallOptions } from "../options.ts";
import { generationSettings, thinkingFor, warnOfCaching } from "../settings.ts";
import { lowerSchema, prepareTools } from "../tools.ts";
import type { PreparedTools } from "../prepared-tools.ts";
import { conversation } from "./contents.ts";
import { offeredTools } from "./offered-tools.ts";

/** The request body, and the data needed to read its answer. */
export interface BuiltRequest {
  readonly body: Readonly<Record<string, unknown>>;
  readonly tools: PreparedTools;
  readonly warnings: readonly Warning[];
}

const noTools: NonNullable<ModelRequest["tools"]> = [];

/**
 * Maps a request to the body of `generateContent`.
 *
 * @param request - The request, its messages compiled for this model.
 * @param context - The model.
 * @param stream - True if the answer is streamed.
 */
export function generateRequest(request: ModelRequest, context: ModelContext, stream: boolean): BuiltRequest {
  const tools = prepareTools(request.tools ?? noTools, context);
  const warnings: Warning[] = [...tools.warnings];
  const options = callOptions(request);
  const fields = callFields(options, context, warnings);
  const thinkingConfig = thinkingFor(request.reasoning, context, warnings);
  const messages = context.unreadable.readable(request.messages, (warning) => warnings.push(warning));
  const { system, contents } = conversation(messages, context, warnings);
  const generationConfig = {
    ...generationSettings(request, context, warnings),
    ...outputFormat(request, tools, context, warnings),
    ...(thinkingConfig === undefined ? {} : { thinkingConfig }),
    ...fields.config,
  };
  warnOfCaching(request, context, warnings);
  const cacheable = {
    ...(system === undefined ? {} : { systemInstruction: system }),
    ...offeredTools(request, tools, options, context, warnings, stream),
  };
  const rest = wellFormedJson({
    ...uncached(cacheable, options, warnings),
    ...(Object.keys(generationConfig).length === 0 ? {} : { generationConfig }),
    ...fields.body,
  }) as Readonly<Record<string, unknown>>;
  // Each message was made well-formed when it was mapped.
  return { body: withExtraBody({ contents, ...rest }, options), tools, warnings };
}

/** Settings that the cache already contains are refused in the request. */
function uncached(cacheable: object, { cachedContent }: GoogleCallOptions, warnings: Warning[]): object {
  if (cachedContent === undefined) return cacheable;
  for (const name of Object.keys(cacheable)) {
    warnings.push(unsupportedSetting(name, `Gemini refuses it with "cachedContent". Put it into the cached content.`));
  }
  return {};
}

function outputFormat(
  { output }: ModelRequest,
  tools: PreparedTools,
  context: ModelContext,
  warnings: Warning[],
): object {
  if (output === undefined) return {};
  const { structuredOutput } = context.capabilities;
  const hasTools = tools.functions.length + tools.hosted.length > 0;
  if (structuredOutput === "none" || (structuredOutput === "without-tools" && hasTools)) {
    const when = structuredOutput === "none" ? "" : " beside tools";
    warnings.push(unsupportedSetting("output", `${context.modelId} does not support answers by JSON Schema${when}.`));
    return {};
  }
  const lowered = lowerSchema(output.schema, context, "The schema of the answer");
  warnings.push(...lowered.warnings);
  return {
    responseMimeType: "application/json",
    [context.openApiSchemas ? "responseSchema" : "responseJsonSchema"]: lowered.schema,
  };
}
